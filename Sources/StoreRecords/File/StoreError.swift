package import ODataSQLite

/// Why a store cannot do what it is asked.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of refusal.
    package enum Code: Sendable {
        /// There is no file.
        case noStore
        /// The file is no store, or one of a newer version of this engine.
        case notAStore
        /// The file cannot be opened or created.
        case cannotOpen
        /// What the store needs to know first has not been loaded yet.
        case notOpen
        /// The new model would not fit the data.
        case incompatibleSchema
        /// The request in the queue is not in a state that allows this.
        case wrongState
        /// No such request, entity or query.
        case notFound
        /// Input breaks a rule.
        case invalid
        /// Another process synchronises the store.
        case inUse
        /// The SQLite of this process cannot encrypt.
        case noCipher
        /// The file looks encrypted, and there is no key.
        case keyMissing
        /// There is a key for a file that is not encrypted.
        case notEncrypted
        /// The file is encrypted with another key.
        case wrongKey
    }

    package var code: Code
    package var message: String
    /// One line for each reason, where there are several.
    package var details: [String]

    package init(_ code: Code, _ message: String, details: [String] = []) {
        self.code = code
        self.message = message
        self.details = details
    }

    /// Why a file and a key do not go together.
    package init(_ mismatch: EncryptionMismatch, of path: String) {
        switch mismatch {
        case .noCipher:
            self.init(
                .noCipher,
                "a store cannot be encrypted here: the SQLite that this program uses has no cipher; give it SQLCipher 4 or SQLite3 Multiple Ciphers, or leave the key out"
            )
        case .keyMissing:
            self.init(
                .keyMissing,
                "\(path) is encrypted, or no SQLite database: give the key of the store"
            )
        case .notEncrypted:
            self.init(
                .notEncrypted,
                "\(path) is not encrypted: leave the key out, or encrypt the store with it first"
            )
        case .ambiguousKey:
            self.init(
                .invalid,
                "the passphrase begins as a raw key does (raw: or x'): choose another one, or give the key itself as 32 bytes or x'64 digits'"
            )
        case .wrongKey:
            self.init(
                .wrongKey,
                "the key is not the one of \(path), or the beginning of the file is damaged"
            )
        }
    }

    package var description: String { ([message] + details).joined(separator: "\n") }
}
