/// Texts of OData values, made from integers so that no platform's number or date formatting takes part.
enum Formats {
    /// Returns an amount with two decimals.
    static func money(cents: Int) -> String {
        decimal(cents, digits: 2)
    }

    /// Returns `value` with its decimal point moved left by `digits`.
    static func decimal(_ value: Int, digits: Int) -> String {
        let magnitude = String(value.magnitude)
        let padding = String(repeating: "0", count: max(0, digits + 1 - magnitude.utf8.count))
        let padded = padding + magnitude
        let point = padded.index(padded.endIndex, offsetBy: -digits)
        return (value < 0 ? "-" : "") + padded[..<point] + "." + padded[point...]
    }

    /// Returns a duration as in `Edm.Duration`.
    static func duration(minutes: Int) -> String {
        let sign = minutes < 0 ? "-" : ""
        let total = Int(minutes.magnitude)
        let days = total / 1440 == 0 ? "" : "\(total / 1440)D"
        let hours = total / 60 % 24 == 0 ? "" : "\(total / 60 % 24)H"
        let rest = total % 60 == 0 ? "" : "\(total % 60)M"
        if total == 0 { return "PT0S" }
        return sign + "P" + days + (hours + rest == "" ? "" : "T" + hours + rest)
    }

    /// Returns a time of day as in `Edm.TimeOfDay`.
    static func timeOfDay(minute: Int) -> String {
        "\(padded(minute / 60, 2)):\(padded(minute % 60, 2)):00"
    }

    /// Returns the date so many days after 2000-01-01.
    static func date(day: Int) -> String {
        let (year, month, date) = civil(day)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))"
    }

    /// Returns the instant so many minutes after 2000-01-01T00:00Z, as a clock with an offset shows it.
    ///
    /// `tail` is what follows the seconds: a fraction, or nothing.
    static func instant(minute: Int, offset: Int = 0, tail: String = "") -> String {
        let local = minute + offset
        let day = local / 1440
        return date(day: day) + "T" + timeOfDay(minute: local - day * 1440) + tail + zone(offset)
    }

    /// Returns a number in decimal digits, filled with zeros on the left.
    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Returns bytes as base64url without padding (OData JSON 4.01 § 7.1, RFC 4648 § 5).
    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0...group.count { text.append(alphabet[bits >> (18 - 6 * index) & 63]) }
        }
        return text
    }

    /// Returns a key as it stands in a URL: quotes doubled, everything but unreserved characters percent-encoded.
    static func urlKey(_ key: String) -> String {
        var text = "'"
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "'"): text += "''"
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text + "'"
    }

    private static func zone(_ offset: Int) -> String {
        if offset == 0 { return "Z" }
        let minutes = Int(offset.magnitude)
        return (offset < 0 ? "-" : "+") + padded(minutes / 60, 2) + ":" + padded(minutes % 60, 2)
    }

    /// Year, month and day of a day counted from 2000-01-01, not before that day.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        var year = 2000
        var rest = day
        while rest >= length(of: year) {
            rest -= length(of: year)
            year += 1
        }
        var month = 1
        while rest >= length(of: month, in: year) {
            rest -= length(of: month, in: year)
            month += 1
        }
        return (year, month, rest + 1)
    }

    private static func length(of year: Int) -> Int { isLeap(year) ? 366 : 365 }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}
