/// Words as a shell takes them, for hints that a person copies.
public enum ShellText {
    /// Returns a word that bash and zsh read as this text.
    ///
    /// Quotes are left out where nothing needs them; a key in quotes, `Books('978')`, is put into double ones, so that it can still
    /// be read.
    public static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        guard text.utf8.contains(UInt8(ascii: "'")) else { return "'\(text)'" }
        let isReadable = !text.utf8.contains { #"$`"\!"#.utf8.contains($0) }
        return isReadable ? "\"\(text)\"" : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_./:@%+=,-".utf8.contains(byte)
        }
    }
}
