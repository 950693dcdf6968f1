/// The extension of SQLite that encrypts files, where the SQLite of this process has one.
package enum SQLiteCipher: Sendable, Equatable {
    /// SQLite3 Multiple Ciphers (https://utelle.github.io/SQLite3MultipleCiphers/).
    case multipleCiphers(String)
    /// SQLCipher (https://www.zetetic.net/sqlcipher/sqlcipher-api/).
    case sqlCipher(String)

    /// What the SQLite of this process has; nil where it cannot encrypt.
    package static let present: SQLiteCipher? = ask()

    /// The first version of SQLCipher whose SQLite has what a store needs.
    private static let oldestMajorVersion = 4

    private static func ask() -> SQLiteCipher? {
        guard let connection = try? SQLiteConnection(path: ":memory:", mode: .create) else {
            return nil
        }
        return SQLiteCipher(
            version: (try? connection.text("PRAGMA cipher_version")) ?? nil,
            scheme: (try? connection.text("PRAGMA cipher")) ?? nil
        )
    }

    /// Distinguishes the extensions by their answers: a plain SQLite answers neither question.
    init?(version: String?, scheme: String?) {
        if let version, !version.isEmpty {
            let major = version.prefix(while: \.isNumber)
            guard let major = Int(major), major >= Self.oldestMajorVersion else { return nil }
            self = .sqlCipher(version)
        } else if let scheme, !scheme.isEmpty {
            self = .multipleCiphers(scheme)
        } else {
            return nil
        }
    }

    /// What stands before and behind the digits of a key that is used as it is.
    var rawKeyFrame: (before: String, after: String) {
        switch self {
        case .multipleCiphers: ("raw:", "")
        case .sqlCipher: ("x'", "'")
        }
    }
}
