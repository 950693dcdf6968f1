/// Members of rows, name and value at once: room is made in the buffer once for each.
///
/// Names are as `JSONName` has prepared them; the comma in front is left out where none is needed.
extension JSONWriter {
    /// Bytes that the text of a value kept as a number takes at most, quotation marks included: a duration or an instant of
    /// the largest number of ticks is the longest, with some 40.
    static let longestNumber = 64

    /// Writes a member whose value is null.
    package mutating func nullMember(_ name: Span<UInt8>) {
        let name = needsComma ? name : name.extracting(1..<name.count)
        needsComma = true
        bytes.append(addingCapacity: name.count + Self.longestNumber) { output in
            output.append(bytes: name)
            output.append(short: "null")
        }
    }

    /// Writes a member whose value is kept as an integer; that of an enumeration as a number.
    package mutating func member(
        _ name: Span<UInt8>,
        integer value: Int64,
        as form: JSONScalarForm
    ) {
        let name = needsComma ? name : name.extracting(1..<name.count)
        needsComma = true
        bytes.append(addingCapacity: name.count + Self.longestNumber) { output in
            output.append(bytes: name)
            if form.isQuoted { output.append(Self.quotationMark) }
            form.form.writeInteger(value, style: form.style, into: &output)
            if form.isQuoted { output.append(Self.quotationMark) }
        }
    }

    /// Writes a member whose value is kept as a floating-point number; infinities stand in quotation marks always.
    package mutating func member(
        _ name: Span<UInt8>,
        real value: Double,
        as form: JSONScalarForm
    ) {
        let name = needsComma ? name : name.extracting(1..<name.count)
        needsComma = true
        var isWritten = false
        bytes.append(addingCapacity: name.count + Self.longestNumber) { output in
            output.append(bytes: name)
            if form.form == .double, !form.isQuoted, value != 0 {
                isWritten = RealText.appendShort(value, to: &output)
            }
        }
        guard !isWritten else { return }
        needsComma = false
        real(value, as: form)
    }

    /// Writes a member whose value is kept as UTF-8 text.
    package mutating func member(
        _ name: Span<UInt8>,
        text value: Span<UInt8>,
        as form: JSONScalarForm
    ) {
        guard form.form != .json, form.form != .decimalText,
            JSONScan.firstToEscape(in: value, from: 0) == value.count
        else {
            preparedName(name)
            return text(value, as: form)
        }
        let name = needsComma ? name : name.extracting(1..<name.count)
        needsComma = true
        bytes.append(addingCapacity: name.count + value.count + 2) { output in
            output.append(bytes: name)
            output.append(Self.quotationMark)
            output.append(bytes: value)
            output.append(Self.quotationMark)
        }
    }

    /// Writes a member whose value is kept as bytes.
    package mutating func member(
        _ name: Span<UInt8>,
        blob value: Span<UInt8>,
        as form: JSONScalarForm
    ) {
        guard form.form == .guid, form.isQuoted else {
            preparedName(name)
            return blob(value, as: form)
        }
        let name = needsComma ? name : name.extracting(1..<name.count)
        needsComma = true
        bytes.append(addingCapacity: name.count + Self.longestNumber) { output in
            output.append(bytes: name)
            output.append(Self.quotationMark)
            GuidText.append(value, to: &output)
            output.append(Self.quotationMark)
        }
    }

    private static let quotationMark = UInt8(ascii: "\"")
}
