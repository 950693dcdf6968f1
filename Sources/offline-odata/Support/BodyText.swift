/// A body on the command line: itself, `-` for standard input, or `@FILE`.
enum BodyText {
    /// Returns the bytes.
    ///
    /// - Throws: ``CommandFailure`` where the file cannot be read.
    static func read(_ word: String) throws(CommandFailure) -> [UInt8] {
        if word == "-" { return try FileBytes.read("-") }
        return word.hasPrefix("@") ? try FileBytes.read(String(word.dropFirst())) : Array(word.utf8)
    }

    /// Returns the text.
    ///
    /// - Throws: ``CommandFailure`` where it is no UTF-8 or the file cannot be read.
    static func text(_ word: String) throws(CommandFailure) -> String {
        guard let text = String(validating: try read(word), as: UTF8.self) else {
            throw .usage("the body is no UTF-8 text")
        }
        return text
    }
}
