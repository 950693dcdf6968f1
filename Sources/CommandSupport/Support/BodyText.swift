/// A body on the command line: itself, `-` for standard input, or `@FILE`.
public enum BodyText: Sendable {
    /// Returns the bytes.
    ///
    /// - Throws: ``CommandFailure`` where the file cannot be read.
    public static func read(_ word: String) throws(CommandFailure) -> [UInt8] {
        if word == "-" { return try FileBytes.read("-") }
        return word.hasPrefix("@") ? try FileBytes.read(String(word.dropFirst())) : Array(word.utf8)
    }

    /// Returns the text.
    ///
    /// - Throws: ``CommandFailure`` where it is no UTF-8 or the file cannot be read.
    public static func text(_ word: String) throws(CommandFailure) -> String {
        guard let text = String(validating: try read(word), as: UTF8.self) else {
            throw .usage("the body is not UTF-8 text; save it as UTF-8")
        }
        return text
    }
}
