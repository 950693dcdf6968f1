import ODataText

/// Values in the style of a form, or loss-free where the form asks for it.
extension JSONScalarForm {
    private static let ticksPerMillisecond: Int64 = 10_000

    /// Appends the text of a value kept as an integer; enumerations as numbers.
    func writeInteger(
        _ value: Int64,
        into output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        guard isLossless, style != .v4, form == .dateTimeOffset,
            value % Self.ticksPerMillisecond != 0
        else { return form.writeInteger(value, style: style, into: &output) }
        if style == .v2DateTime {
            DateTimeText.appendWithoutOffset(value, to: &output)
        } else {
            DateTimeText.append(value, to: &output)
        }
    }

    /// Appends an exact text; loss-free it is what a service or a file has said, in whichever style.
    func writeExact(_ text: Span<UInt8>, into output: inout [UInt8]) {
        if isLossless {
            output.append(bytes: text)
        } else {
            form.writeExact(text, style: style, into: &output)
        }
    }
}
