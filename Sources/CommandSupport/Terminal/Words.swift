/// Numbers and amounts as people read them.
public enum Words: Sendable {
    /// Returns a number with its thousands apart: `12,345`.
    public static func number(_ value: Int) -> String {
        var digits = String(value.magnitude)
        var groups: [String] = []
        while digits.utf8.count > 3 {
            groups.append(String(digits.suffix(3)))
            digits.removeLast(3)
        }
        return (value < 0 ? "-" : "") + ([digits] + groups.reversed()).joined(separator: ",")
    }

    /// Returns a number and its noun: `1 row`, `2,000 rows`.
    public static func amount(_ count: Int, of singular: String, plural: String? = nil) -> String {
        number(count) + " " + (count == 1 ? singular : plural ?? singular + "s")
    }

    /// Returns a number of bytes: `812 B`, `3.4 MB`.
    public static func bytes(_ count: Int) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 1_000 || unit == "GB" {
                return unit == "B" ? "\(count) B" : oneDigit(value) + " " + unit
            }
            value /= 1_000
        }
        return "\(count) B"
    }

    /// Returns a time: `0.4 s`, `2 min 5 s`.
    public static func time(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        guard seconds >= 60 else { return oneDigit(seconds) + " s" }
        let whole = Int(seconds)
        return "\(whole / 60) min \(whole % 60) s"
    }

    private static func oneDigit(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns a text that fits into a width, its end left out where it does not.
    static func shortened(_ text: String, to width: Int) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count <= width ? line : line.prefix(width - 1) + "…"
    }
}
