#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Dates in the JSON of versions 1 to 3, `/Date(1700000000000+0060)/`: milliseconds since 1970 and the offset in minutes.
enum OldDateText {
    /// Returns the date in ISO 8601; nil for a text that is no such date.
    ///
    /// Without an offset the date is that of a clock on a wall, so it is written without `Z`.
    static func readable(_ text: String) -> String? {
        guard text.hasPrefix("/Date("), text.hasSuffix(")/") else { return nil }
        let content = text.dropFirst(6).dropLast(2)
        let sign = content.dropFirst().firstIndex { $0 == "+" || $0 == "-" }
        guard let milliseconds = Int64(content[..<(sign ?? content.endIndex)]),
            abs(milliseconds) < 253_402_300_800_000
        else { return nil }
        guard let sign else { return local(milliseconds) }
        guard let minutes = Int64(content[sign...]), abs(minutes) < 24 * 60 else { return nil }
        return local(milliseconds + minutes * 60_000) + offset(minutes)
    }

    private static func local(_ milliseconds: Int64) -> String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        let hasFraction = milliseconds % 1_000 != 0
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
        return String(date.formatted(style).dropLast())
    }

    private static func offset(_ minutes: Int64) -> String {
        guard minutes != 0 else { return "Z" }
        let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
        return (minutes < 0 ? "-" : "+")
            + "\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)"
    }
}
