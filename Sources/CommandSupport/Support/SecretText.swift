/// A value of the command line that may stand in a file instead, where other users cannot see it: `@FILE`.
public enum SecretText: Sendable {
    /// Returns the value, or what stands in the file without the newline at its end.
    ///
    /// - Throws: ``CommandFailure`` where the file cannot be read.
    public static func read(_ value: String) throws(CommandFailure) -> String {
        guard value.hasPrefix("@") else { return value }
        var bytes = try FileBytes.read(String(value.dropFirst()))
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("\(value.dropFirst()) is not UTF-8 text; save it as UTF-8")
        }
        return text
    }
}
