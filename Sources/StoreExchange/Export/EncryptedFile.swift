package import ODataSQLite
import StoreRecords
import ODataValues

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file of bytes under a key: a SQLite database with one table of pieces, encrypted by the same cipher as a store.
///
/// Not Sendable: its connection belongs to one piece of work.
package final class EncryptedFile {
    private let connection: SQLiteConnection
    private let path: String

    /// Makes the file anew, readable for its owner alone.
    ///
    /// - Throws: ``StoreError`` where the file exists already, or SQLite cannot encrypt.
    package init(making path: String, key: EncryptionKey) throws {
        guard SQLiteCipher.present != nil else {
            throw StoreError(EncryptionMismatch.noCipher, of: path)
        }
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                .cannotOpen,
                "cannot create \(path): \(unsafe String(cString: strerror(errno)).lowercased())"
            )
        }
        close(descriptor)
        self.path = path
        connection = try SQLiteConnection(path: path, mode: .readWrite, key: key)
        try connection.execute(
            """
            PRAGMA journal_mode = OFF; PRAGMA application_id = \(DatabaseMark.encryptedFile);
            CREATE TABLE "$piece" ("id" INTEGER PRIMARY KEY, "bytes" BLOB NOT NULL)
            """
        )
    }

    /// Opens a file that was made so.
    ///
    /// - Throws: ``StoreError`` where it is none, or the key is not its key.
    package init(reading path: String, key: EncryptionKey) throws {
        if let fault = FileFault.reading(path) {
            throw StoreError(.cannotOpen, "cannot open \(path): \(fault)")
        }
        self.path = path
        do {
            connection = try SQLiteConnection(path: path, mode: .readOnly, key: key)
        } catch let error as EncryptionMismatch {
            throw StoreError(error, of: path)
        }
        let id = try? connection.integer("PRAGMA application_id")
        guard id == DatabaseMark.encryptedFile else {
            throw StoreError(.invalid, "\(path) is no file that was exported under a key")
        }
    }

    /// Adds a piece.
    package func append(_ bytes: [UInt8]) throws {
        try connection.run("INSERT INTO \"$piece\" (\"bytes\") VALUES (?1)", [.blob(bytes)])
    }

    /// All bytes.
    package func contents() throws -> [UInt8] {
        var all: [UInt8] = []
        try connection.forEachRow("SELECT \"bytes\" FROM \"$piece\" ORDER BY \"id\"") { row in
            if case .blob(let bytes) = row.scalar(0) { all += bytes }
        }
        return all
    }
}
