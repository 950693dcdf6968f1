import ODataValues

/// Dates in the JSON of versions 1 to 3, `/Date(1700000000000+0060)/`: milliseconds since 1970 and the offset in minutes.
enum OldDateText {
    /// The first instant behind the year 9999, in ticks.
    private static let end = Int64(3_652_059) * 864_000_000_000

    /// Returns the date in ISO 8601; nil for a text that is no such date.
    ///
    /// Without an offset the date is that of a clock on a wall, so it is written without `Z`.
    static func readable(_ text: String) -> String? {
        guard text.hasPrefix("/Date("), let reading = DateTimeText.parse(Array(text.utf8).span),
            (0..<end).contains(reading.ticks)
        else { return nil }
        let hasOffset = text.dropFirst(7).contains { $0 == "+" || $0 == "-" }
        var bytes: [UInt8] = []
        if hasOffset {
            DateTimeText.append(reading.ticks, offset: reading.offset, to: &bytes)
        } else {
            DateTimeText.appendWithoutOffset(reading.ticks, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
