import ODataValues

/// A date of a header field, to the second (RFC 9110 § 5.6.7).
public struct HTTPDate: Sendable, Equatable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    public var secondsSince1970: Int64

    /// Creates a date.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Whether a date is earlier.
    public static func < (left: Self, right: Self) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// Reads a date in the form of RFC 9110 or in one of its two old forms; nil where it is none.
    ///
    /// Other zones than GMT, which HTTP forbids and some services write, are read as in RFC 5322 § 4.3; without any, GMT is meant.
    /// The day of the week may be missing and is not checked.
    public init?(_ text: String) {
        var words = text.utf8.split { $0 == 0x20 || $0 == 0x2C || $0 == 0x09 }.map { Array($0) }
        if let first = words.first?.first, !(0x30...0x39).contains(first) { words.removeFirst() }
        let day = words.first?.split(separator: 0x2D).map { Array($0) } ?? []
        if day.count == 3 { words.replaceSubrange(0...0, with: day) }
        guard let date = Self.read(words) ?? Self.readOldest(words) else { return nil }
        self = date
    }

    /// `06 Nov 1994 08:49:37 GMT` and `06-Nov-94 08:49:37 GMT`.
    private static func read(_ words: [[UInt8]]) -> HTTPDate? {
        guard (4...5).contains(words.count), let day = number(words[0], digits: 1...2),
            let month = month(words[1]), let year = year(words[2]), let time = time(words[3]),
            let zone = words.count > 4 ? zone(words[4]) : 0
        else { return nil }
        return date(year: year, month: month, day: day, seconds: time - zone)
    }

    /// `Nov  6 08:49:37 1994`.
    private static func readOldest(_ words: [[UInt8]]) -> HTTPDate? {
        guard words.count == 4, let month = month(words[0]),
            let day = number(words[1], digits: 1...2), let time = time(words[2]),
            let year = number(words[3], digits: 4...4)
        else { return nil }
        return date(year: year, month: month, day: day, seconds: time)
    }

    private static func date(year: Int, month: Int, day: Int, seconds: Int) -> HTTPDate? {
        CalendarDate(year: Int64(year), month: Int64(month), day: Int64(day)).map {
            HTTPDate(
                secondsSince1970: ($0.dayNumber - epochDay) * secondsPerDay + Int64(seconds)
            )
        }
    }

    // MARK: - Pieces

    private static let secondsPerDay: Int64 = 86_400
    /// The number of 1970-01-01, a Thursday, in the calendar.
    private static let epochDay = Instant.unixEpoch / Instant.ticksPerDay
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// Hours east of Greenwich: the names of RFC 5322 § 4.3, then others that services write.
    private static let zones = [
        "GMT": 0, "UT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
        "PST": -8, "PDT": -7, "UTC": 0, "Z": 0, "AKST": -9, "AKDT": -8, "HST": -10, "BRT": -3,
        "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2,
        "EEST": 3, "MSK": 3, "SGT": 8, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12,
        "NZDT": 13,
    ]

    private static func number(_ word: [UInt8], digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(word.count), word.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return word.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func month(_ word: [UInt8]) -> Int? {
        let name = String(decoding: word, as: UTF8.self)
        return months.firstIndex { $0.lowercased() == name.lowercased() }.map { $0 + 1 }
    }

    /// Two digits mean 1970 to 2069.
    private static func year(_ word: [UInt8]) -> Int? {
        if let year = number(word, digits: 4...4) { return year }
        return number(word, digits: 2...2).map { $0 < 70 ? 2000 + $0 : 1900 + $0 }
    }

    /// Seconds of the day; a leap second is the first second of the next minute.
    private static func time(_ word: [UInt8]) -> Int? {
        let parts = word.split(separator: 0x3A, omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(Array(parts[0]), digits: 1...2), hour < 24,
            let minute = number(Array(parts[1]), digits: 2...2), minute < 60,
            let second = number(Array(parts[2]), digits: 2...2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Seconds east of Greenwich of a name, an offset or both: `CET`, `+0100`, `GMT+01:00`.
    private static func zone(_ word: [UInt8]) -> Int? {
        let name = word.prefix { $0 != 0x2B && $0 != 0x2D }
        let offset = word[name.endIndex...]
        let hours = zones[String(decoding: name, as: UTF8.self).uppercased()]
        guard let sign = offset.first else { return hours.map { $0 * 3600 } }
        guard name.isEmpty || hours == 0,
            let value = number(offset.dropFirst().filter { $0 != 0x3A }, digits: 4...4),
            value % 100 < 60, value <= 1400
        else { return nil }
        let seconds = value / 100 * 3600 + value % 100 * 60
        return sign == 0x2D ? -seconds : seconds
    }
}

extension HTTPDate: CustomStringConvertible {
    /// The date as it is written in a field: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let (days, rest) = secondsSince1970.dividedFloor(by: Self.secondsPerDay)
        let day = CalendarDate(dayNumber: days + Self.epochDay)
        let weekday = Self.days[Int(days.dividedFloor(by: 7).remainder)]
        let time = Int(rest)
        let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0, to: 2) }
        return "\(weekday), \(Self.padded(Int(day.day), to: 2)) \(Self.months[Int(day.month) - 1]) "
            + "\(Self.padded(Int(day.year), to: 4)) \(clock.joined(separator: ":")) GMT"
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
