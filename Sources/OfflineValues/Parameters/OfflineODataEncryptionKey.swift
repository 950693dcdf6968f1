package import ODataSQLite

/// The key of an encrypted store, held in memory that is overwritten when it is no longer needed.
///
/// The store's file and everything beside it (write-ahead log, staged pages, copies) are encrypted by the SQLite that the program
/// uses, which has to be SQLCipher 4 or SQLite3 Multiple Ciphers; see ``isAvailable``. The engine has no cipher of its own.
///
/// A text goes through the cipher's key derivation, which takes some ten milliseconds for each connection. Whoever keeps random bytes
/// in a key chain gives 32 of them: they are the key itself.
public struct OfflineODataEncryptionKey: Sendable {
    package let key: EncryptionKey

    /// Whether the SQLite of this process can encrypt.
    public static var isAvailable: Bool { SQLiteCipher.present != nil }

    /// Creates a key that the cipher derives from a text.
    public init(_ text: String) { key = EncryptionKey(text: text) }

    /// Creates a key of bytes: 32 are the key itself, from any other number the cipher derives it.
    public init(bytes: [UInt8]) { key = EncryptionKey(bytes: bytes) }
}

extension OfflineODataEncryptionKey: CustomStringConvertible, CustomReflectable {
    /// Says that it is a key, and nothing of it.
    public var description: String { "encryption key" }

    /// Shows nothing of the key to those that print values.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
