/// Texts as a terminal shows them.
public enum DisplayText: Sendable {
    /// Returns the text on one line, control characters as pictures: data must not steer the terminal.
    public static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            result.unicodeScalars.append(isControl(scalar) ? picture(scalar) : scalar)
        }
        return result
    }

    /// Returns the text with its lines as they are, and all other control characters as pictures.
    public static func printableLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { printable(String($0)) }.joined(separator: "\n")
    }

    /// Returns the columns that the text takes: East Asian wide characters and emoji take two.
    static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + ($1.unicodeScalars.first.map(isWide) == true ? 2 : 1) }
    }

    /// Returns a text that fits into a width, its end left out where it does not.
    static func shortened(_ text: String, to width: Int) -> String {
        guard Self.width(text) > width else { return text }
        var result = ""
        var used = 1
        for character in text {
            used += Self.width(String(character))
            guard used <= width else { break }
            result.append(character)
        }
        return result + "…"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            // Marks that turn the direction of what follows.
            || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    /// The picture of a control character (Unicode block Control Pictures).
    private static func picture(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.value < 0x20 { return Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}" }
        return scalar.value == 0x7F ? "\u{2421}" : "\u{FFFD}"
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
