/// Why a file and a key do not go together; found before SQLite has read or recovered anything, so that the file is as it was.
package enum EncryptionMismatch: Error, Sendable, Equatable {
    /// The SQLite of this process cannot encrypt.
    case noCipher
    /// The file looks encrypted, and there is no key.
    case keyMissing
    /// There is a key for a file that is not encrypted.
    case notEncrypted
    /// The passphrase has a form that ciphers take for a raw key, so that it would open files of other passphrases.
    case ambiguousKey
    /// The file opens with another key, or its first page is damaged.
    case wrongKey
}
