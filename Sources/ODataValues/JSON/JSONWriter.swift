import ODataText

/// Writes JSON into a buffer of bytes, value by value.
///
/// Commas are put where they belong; that objects and arrays are closed is the caller's promise. Values from columns go
/// through `integer(_:as:)` and its kin, which allocate nothing once the buffer is large enough.
public struct JSONWriter: Sendable {
    /// What has been written.
    public internal(set) var bytes: [UInt8] = []

    var needsComma = false
    /// Digits of a floating-point number on their way.
    private var scratch = ""

    /// Creates a writer with room for so many bytes.
    public init(capacity: Int = 4_096) {
        bytes.reserveCapacity(capacity)
        scratch.reserveCapacity(32)
    }

    /// Creates a writer that goes on behind bytes that are there already, with no comma before the first value.
    public init(appendingTo bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns a text as a JSON string.
    package static func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter(capacity: text.utf8.count + 2)
        writer.string(text)
        return writer.bytes
    }

    /// How many bytes have been written.
    package var count: Int { bytes.count }

    /// Returns what has been written, and empties the buffer; the nesting stays as it is.
    public mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Empties the buffer and begins anew, keeping its memory.
    public mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}

// MARK: - Structure

extension JSONWriter {
    /// Begins an object.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Ends an object.
    public mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Begins an array.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Ends an array.
    public mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes the name of a member; its value comes next.
    public mutating func name(_ name: JSONName) {
        preparedName(name.prepared.span)
    }

    /// Writes the name of a member as `JSONName` has prepared it.
    package mutating func preparedName(_ name: Span<UInt8>) {
        bytes.append(bytes: needsComma ? name : name.extracting(1..<name.count))
        needsComma = false
    }

    /// Lets a function write members into room that is made for all of them at once.
    ///
    /// - Parameter write: Whether the next name needs its comma is the second parameter, to be kept up to date.
    package mutating func members(
        room: Int,
        _ write: (inout OutputSpan<UInt8>, _ needsComma: inout Bool) -> Void
    ) {
        var needsComma = needsComma
        bytes.append(addingCapacity: room) { write(&$0, &needsComma) }
        self.needsComma = needsComma
    }

    /// Writes the name of a member; its value comes next.
    public mutating func name(_ name: String) {
        separate()
        JSONString.append(Array(name.utf8).span, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }
}

// MARK: - Plain values

extension JSONWriter {
    /// Writes null.
    public mutating func null() {
        separate()
        bytes.append(literal: "null")
    }

    /// Writes true or false.
    public mutating func boolean(_ value: Bool) {
        separate()
        bytes.append(literal: value ? "true" : "false")
    }

    /// Writes a number.
    public mutating func integer(_ value: Int64) {
        separate()
        IntegerText.append(value, to: &bytes)
    }

    /// Writes a string of UTF-8 bytes.
    public mutating func string(_ value: Span<UInt8>) {
        separate()
        JSONString.append(value, to: &bytes)
    }

    /// Writes a string.
    public mutating func string(_ value: String) {
        string(Array(value.utf8).span)
    }

    /// Writes text that is JSON already, one value of it.
    public mutating func raw(_ json: Span<UInt8>) {
        separate()
        bytes.append(bytes: json)
    }

    /// Writes an array of items that are JSON already, with commas between them.
    public mutating func rawArray(_ items: [UInt8]) {
        separate()
        bytes.reserveCapacity(bytes.count + items.count + Self.roomForEnd)
        bytes.append(UInt8(ascii: "["))
        bytes.append(contentsOf: items)
        bytes.append(UInt8(ascii: "]"))
    }

    /// Bytes that usually follow a long array: a link and closing braces.
    private static let roomForEnd = 512

    /// Writes several members that are JSON already, without braces and with commas between them.
    public mutating func rawMembers(_ json: [UInt8]) {
        guard !json.isEmpty else { return }
        separate()
        bytes.append(contentsOf: json)
    }
}

// MARK: - Values of columns

extension JSONWriter {
    /// Writes a value kept as an integer.
    public mutating func integer(_ value: Int64, as form: JSONForm) {
        guard let type = form.enumType else { return integer(value, as: form.scalar) }
        separate()
        quote(form.isQuoted)
        EnumerationText.append(value, type: type, to: &bytes)
        quote(form.isQuoted)
    }

    /// Writes a value kept as an integer; that of an enumeration as a number.
    package mutating func integer(_ value: Int64, as form: JSONScalarForm) {
        separate()
        quote(form.isQuoted)
        form.writeInteger(value, into: &bytes)
        quote(form.isQuoted)
    }

    /// Writes a value kept as a floating-point number; infinities stand in quotation marks always.
    public mutating func real(_ value: Double, as form: JSONForm) {
        real(value, as: form.scalar)
    }

    package mutating func real(_ value: Double, as form: JSONScalarForm) {
        separate()
        let isQuoted = form.isQuoted || !value.isFinite
        quote(isQuoted)
        if form.form == .single {
            RealText.appendSingle(value, to: &bytes, scratch: &scratch)
        } else {
            RealText.append(value, to: &bytes, scratch: &scratch)
        }
        quote(isQuoted)
    }

    /// Writes a value kept as UTF-8 text.
    public mutating func text(_ value: Span<UInt8>, as form: JSONForm) {
        text(value, as: form.scalar)
    }

    package mutating func text(_ value: Span<UInt8>, as form: JSONScalarForm) {
        switch form.form {
        case .json: raw(value)
        case .decimalText:
            separate()
            let isSpecial = value.count == 1 && value[0] != UInt8(ascii: "1")
            quote(form.isQuoted || isSpecial)
            decimal(value, as: form)
            quote(form.isQuoted || isSpecial)
        // NaN is the one text of a floating-point column.
        default: string(value)
        }
    }

    private mutating func decimal(_ value: Span<UInt8>, as form: JSONScalarForm) {
        let start = bytes.count
        DecimalText.append(encoded: value, to: &bytes)
        guard !form.hasExponents, let plain = PlainDecimal.text(bytes.span.extracting(start...))
        else { return }
        bytes.replaceSubrange(start..., with: plain)
    }

    /// Writes a value kept as bytes.
    public mutating func blob(_ value: Span<UInt8>, as form: JSONForm) {
        blob(value, as: form.scalar)
    }

    package mutating func blob(_ value: Span<UInt8>, as form: JSONScalarForm) {
        separate()
        quote(form.isQuoted)
        form.form.writeBlob(value, style: form.style, into: &bytes)
        quote(form.isQuoted)
    }

    /// Writes a value by its exact text.
    public mutating func exact(_ text: Span<UInt8>, as form: JSONForm) {
        exact(text, as: form.scalar)
    }

    package mutating func exact(_ text: Span<UInt8>, as form: JSONScalarForm) {
        separate()
        if form.isQuoted || !form.hasExponents, form.form.isDecimal,
            let plain = PlainDecimal.text(text)
        {
            quote(form.isQuoted)
            bytes += plain
            return quote(form.isQuoted)
        }
        let isNumber = text.count > 0 && Self.isNumeric(text) && !form.isQuoted
        quote(!isNumber)
        form.writeExact(text, into: &bytes)
        quote(!isNumber)
    }

    /// Writes a scalar, by its exact text where there is one.
    public mutating func value(_ scalar: Scalar, exact: String? = nil, as form: JSONForm) {
        if let exact { return self.exact(Array(exact.utf8).span, as: form) }
        switch scalar {
        case .null: null()
        case .integer(let value): integer(value, as: form)
        case .real(let value): real(value, as: form)
        case .text(let value): text(Array(value.utf8).span, as: form)
        case .blob(let value): blob(value.span, as: form)
        }
    }

    /// An exact text may come from a URL or an old payload, where numbers are written that JSON does not have (`+1`, `007`).
    private static func isNumeric(_ text: Span<UInt8>) -> Bool {
        var index = text[0] == UInt8(ascii: "-") ? 1 : 0
        guard index < text.count, ASCII.digit(text[index]) != nil else { return false }
        if text[index] == 0x30 {
            index += 1
            guard index < text.count else { return true }
            return text[index] == UInt8(ascii: ".") || text[index] | 0x20 == UInt8(ascii: "e")
        }
        return true
    }

    private mutating func quote(_ isQuoted: Bool) {
        if isQuoted { bytes.append(UInt8(ascii: "\"")) }
    }
}

extension [UInt8] {
    /// Appends UTF-8 text as a string of JSON, in quotation marks and escaped.
    public mutating func appendJSONString(_ text: Span<UInt8>) {
        JSONString.append(text, to: &self)
    }
}
