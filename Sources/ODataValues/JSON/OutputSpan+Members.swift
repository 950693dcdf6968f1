import ODataText

/// Members of rows, name and value at once, into room that was made for many of them.
///
/// Names are as `JSONName` has prepared them. Each function answers false and writes nothing where the value does not fit or needs more
/// than copying: such a one is written by `JSONWriter`.
extension OutputSpan<UInt8> {
    /// Bytes that the text of a value kept as a number takes at most, quotation marks included: a duration or an instant of
    /// the largest number of ticks is the longest, with some 40.
    private static var longestNumber: Int { 64 }
    private static var quotationMark: UInt8 { UInt8(ascii: "\"") }

    /// Bytes to be kept ready for a member with a name of so many bytes: enough for any number and for most texts.
    package static func memberRoom(nameCount: Int, _ form: JSONScalarForm) -> Int {
        nameCount + (form.form == .string ? 3 * longestNumber : longestNumber)
    }

    private func hasRoom(_ name: Span<UInt8>, _ count: Int) -> Bool {
        freeCapacity >= name.count + count
    }

    /// Writes a member whose value is null.
    package mutating func nullMember(_ name: Span<UInt8>) -> Bool {
        guard hasRoom(name, Self.longestNumber) else { return false }
        append(bytes: name)
        append(short: "null")
        return true
    }

    /// Writes a member whose value is kept as an integer; that of an enumeration as a number.
    package mutating func member(
        _ name: Span<UInt8>,
        integer value: Int64,
        as form: JSONScalarForm
    ) -> Bool {
        guard hasRoom(name, Self.longestNumber) else { return false }
        append(bytes: name)
        if form.isQuoted { append(Self.quotationMark) }
        form.writeInteger(value, into: &self)
        if form.isQuoted { append(Self.quotationMark) }
        return true
    }

    /// Writes a member whose value is kept as a floating-point number, where that has a short text.
    package mutating func member(
        _ name: Span<UInt8>,
        real value: Double,
        as form: JSONScalarForm
    ) -> Bool {
        guard form.form == .double, !form.isQuoted, value != 0, hasRoom(name, Self.longestNumber)
        else { return false }
        append(bytes: name)
        if RealText.appendShort(value, to: &self) { return true }
        removeLast(name.count)
        return false
    }

    /// Writes a member whose value is kept as UTF-8 text, where no byte must be escaped.
    package mutating func member(
        _ name: Span<UInt8>,
        text value: Span<UInt8>,
        as form: JSONScalarForm
    ) -> Bool {
        guard form.form != .json, form.form != .decimalText, hasRoom(name, value.count + 2),
            JSONScan.firstToEscape(in: value, from: 0) == value.count
        else { return false }
        append(bytes: name)
        append(Self.quotationMark)
        append(bytes: value)
        append(Self.quotationMark)
        return true
    }

    /// Writes a member whose value is a Guid kept as bytes.
    package mutating func member(
        _ name: Span<UInt8>,
        blob value: Span<UInt8>,
        as form: JSONScalarForm
    ) -> Bool {
        guard form.form == .guid, form.isQuoted, hasRoom(name, Self.longestNumber) else {
            return false
        }
        append(bytes: name)
        append(Self.quotationMark)
        GuidText.append(value, to: &self)
        append(Self.quotationMark)
        return true
    }
}
