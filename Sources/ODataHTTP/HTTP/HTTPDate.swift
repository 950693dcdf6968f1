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
    /// Other zones than GMT, which HTTP forbids and some services write, are read as in RFC 5322 § 4.3.
    /// The day of the week is not checked.
    public init?(_ text: String) {
        var words = text.utf8.split { $0 == 0x20 || $0 == 0x2C }.map { Array($0) }
        if words.count == 4 {
            let day = words[1].split(separator: 0x2D).map { Array($0) }
            words.replaceSubrange(1...1, with: day)
        }
        guard let date = Self.read(words) ?? Self.readOldest(words) else { return nil }
        self = date
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` and `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func read(_ words: [[UInt8]]) -> HTTPDate? {
        guard words.count == 6, let day = number(words[1], digits: 1...2),
            let month = month(words[2]), let year = year(words[3]),
            let time = time(words[4]), let zone = zone(words[5])
        else { return nil }
        return date(year: year, month: month, day: day, seconds: time - zone)
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func readOldest(_ words: [[UInt8]]) -> HTTPDate? {
        guard words.count == 5, let month = month(words[1]),
            let day = number(words[2], digits: 1...2), let time = time(words[3]),
            let year = number(words[4], digits: 4...4)
        else { return nil }
        return date(year: year, month: month, day: day, seconds: time)
    }

    private static func date(year: Int, month: Int, day: Int, seconds: Int) -> HTTPDate? {
        guard (1...lengthOfMonth(month, in: year)).contains(day) else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return HTTPDate(secondsSince1970: Int64(days * secondsPerDay + seconds))
    }

    // MARK: - Pieces

    private static let secondsPerDay = 86_400
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// Hours east of Greenwich.
    private static let zones = [
        "GMT": 0, "UTC": 0, "UT": 0, "Z": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5,
        "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "CET": 1, "CEST": 2,
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

    /// Seconds east of Greenwich.
    private static func zone(_ word: [UInt8]) -> Int? {
        if let hours = zones[String(decoding: word, as: UTF8.self).uppercased()] {
            return hours * 3600
        }
        guard let sign = word.first, sign == 0x2B || sign == 0x2D,
            let value = number(Array(word.dropFirst()), digits: 4...4), value % 100 < 60,
            value <= 1400
        else { return nil }
        let seconds = value / 100 * 3600 + value % 100 * 60
        return sign == 0x2D ? -seconds : seconds
    }

    // MARK: - Calendar

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func lengthOfMonth(_ month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the Gregorian calendar, counted in eras of 400 years that begin on March 1.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The reverse of `daysSince1970`.
    private static func calendarDay(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

extension HTTPDate: CustomStringConvertible {
    /// The date as it is written in a field: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let seconds = Int(secondsSince1970)
        let days = (seconds >= 0 ? seconds : seconds - Self.secondsPerDay + 1) / Self.secondsPerDay
        let time = seconds - days * Self.secondsPerDay
        let day = Self.calendarDay(days)
        let weekday = Self.days[((days % 7) + 7) % 7]
        let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0, to: 2) }
        return "\(weekday), \(Self.padded(day.day, to: 2)) \(Self.months[day.month - 1]) "
            + "\(Self.padded(day.year, to: 4)) \(clock.joined(separator: ":")) GMT"
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
