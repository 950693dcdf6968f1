public import OfflineOData

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The key of an encrypted store: in a file or in the environment, never on the command line, which every user of the machine sees.
public enum StoreKeyOption: Sendable {
    static let syntax = OptionSyntax.value(
        "key",
        placeholder: "@FILE|env:NAME",
        help:
            "key of an encrypted store; x'64 digits' in it is a key of 32 bytes, anything else a passphrase"
    )

    /// Returns the key that an option names; nil where it is not given.
    ///
    /// - Throws: ``CommandFailure`` (invalid) where the value is a key itself, and where there is nothing behind the name.
    public static func key(
        _ arguments: Arguments,
        option: String = "key"
    ) throws(CommandFailure) -> OfflineODataEncryptionKey? {
        guard let value = arguments.value(option) else { return nil }
        let bytes = try secret(value, option: option)
        guard !bytes.isEmpty else { throw .usage("--\(option): the key is empty") }
        return key(bytes)
    }

    private static func secret(
        _ value: String,
        option: String
    ) throws(CommandFailure) -> ArraySlice<UInt8> {
        if value.hasPrefix("@") {
            let bytes = try FileBytes.read(String(value.dropFirst()))
            // A key of bytes may end with anything; a text ends before its newline.
            return isText(bytes) ? withoutNewline(bytes) : bytes[...]
        }
        if value.hasPrefix("env:") {
            let name = String(value.dropFirst(4))
            guard let text = unsafe getenv(name) else {
                throw .usage("--\(option): there is no variable \(name) in the environment")
            }
            return Array(unsafe String(cString: text).utf8)[...]
        }
        // Not repeated: it may be the key.
        throw .usage(
            "--\(option) takes @FILE or env:NAME, not the key itself",
            advice: "What stands on a command line can be seen by other users."
        )
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    private static func withoutNewline(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.prefix((bytes.lastIndex { $0 != 0x0A && $0 != 0x0D } ?? -1) + 1)
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> OfflineODataEncryptionKey {
        if let raw = raw(bytes) { return OfflineODataEncryptionKey(bytes: raw) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return OfflineODataEncryptionKey(bytes: Array(bytes))
        }
        return OfflineODataEncryptionKey(text)
    }

    /// The bytes of `x'0123…'`, as SQLCipher writes keys that are used as they are.
    private static func raw(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.count == 67, bytes.starts(with: Array("x'".utf8)), bytes.last == 0x27 else {
            return nil
        }
        let digits = bytes.dropFirst(2).dropLast().compactMap {
            Character(Unicode.Scalar($0)).hexDigitValue
        }
        guard digits.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
