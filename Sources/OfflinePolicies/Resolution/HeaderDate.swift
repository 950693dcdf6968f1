#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Dates in headers: RFC 1123 with any zone, as services of all kinds send it.
enum HeaderDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads `Wed, 21 Oct 2026 07:28:00 GMT`; nil where it is no date.
    ///
    /// The zone may be a name or an offset.
    static func date(_ text: String) -> Date? {
        let words = text.split { " ,\t".contains($0) }.map(String.init)
        // The weekday may be left out.
        let fields = words.first.map { Int($0) == nil } == true ? Array(words.dropFirst()) : words
        guard fields.count >= 4, let day = Int(fields[0]), let year = Int(fields[2]),
            let month = months.firstIndex(of: fields[1].prefix(3).lowercased())
        else { return nil }
        let time = fields[3].split(separator: ":").map { Int($0) }
        guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
            1...31 ~= day, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second, 0...9999 ~= year,
            let zone = zone(fields.dropFirst(4).first ?? "GMT")
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let components = DateComponents(
            year: year,
            month: month + 1,
            day: day,
            hour: hour,
            minute: minute,
            second: second
        )
        return calendar.date(from: components)
    }

    /// Hours east of Greenwich of zone names that services use; the names of RFC 822 § 5.1 first.
    private static let zones: [String: Int] = [
        "GMT": 0, "UT": 0, "UTC": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
        "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10, "BRT": -3, "WET": 0,
        "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3,
        "MSK": 3,
        "SGT": 8, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
    ]

    /// The zone of a name or an offset (`+0100`, `GMT+01:00`).
    ///
    /// A name that is not known counts as GMT, which RFC 9110 § 5.6.7 demands.
    private static func zone(_ text: String) -> TimeZone? {
        if let hours = zones[text.uppercased()] { return TimeZone(secondsFromGMT: hours * 3_600) }
        let offset = text.drop { $0.isLetter }
        guard let sign = offset.first, "+-".contains(sign) else { return .gmt }
        guard let digits = Int(offset.dropFirst().filter { $0 != ":" }), 0...1459 ~= digits,
            digits % 100 < 60
        else { return nil }
        let seconds = (digits / 100 * 60 + digits % 100) * 60
        return TimeZone(secondsFromGMT: sign == "-" ? -seconds : seconds)
    }
}
