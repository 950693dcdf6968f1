import Foundation

#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

/// A copy of a database's file as it stands on the disk.
///
/// The file is read through SQLite: closing it in any other way would drop the locks that this process has on it
/// (https://www.sqlite.org/howtocorrupt.html § 2.2). It is not opened as a database; nothing is written beside it.
package enum FileCopy {
    /// Bytes that are read at once.
    private static let pieceSize = 1 << 20

    /// Writes a new file that only its owner can read.
    ///
    /// - Throws: ``SQLiteError`` where the file cannot be read, an error of Foundation's where the copy cannot be written.
    package static func write(_ path: String, to target: String) throws {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil)
        defer { _ = unsafe sqlite3_close_v2(handle) }
        guard code == SQLITE_OK, let database = unsafe handle else {
            throw unsafe SQLiteError.last(of: handle, code: code)
        }
        try Data().write(to: URL(filePath: target))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        let file = try FileHandle(forWritingTo: URL(filePath: target))
        defer { try? file.close() }
        try unsafe copy(database, to: file)
    }

    @unsafe private static func copy(_ database: OpaquePointer, to file: FileHandle) throws {
        var offset: Int64 = 0
        var bytes = [UInt8](repeating: 0, count: pieceSize)
        while true {
            let size = unsafe try read(database, &bytes, 0, offset)
            let count = min(pieceSize, Int(size - offset))
            guard count > 0 else { return }
            _ = unsafe try read(database, &bytes, count, offset)
            try file.write(contentsOf: bytes.prefix(count))
            offset += Int64(count)
        }
    }

    /// Answers the size of the file.
    @unsafe private static func read(
        _ database: OpaquePointer,
        _ bytes: inout [UInt8],
        _ count: Int,
        _ offset: Int64
    ) throws -> Int64 {
        var size: sqlite3_int64 = 0
        let code = unsafe csqlite_read(database, &bytes, Int32(count), offset, &size)
        guard code == SQLITE_OK else { throw unsafe SQLiteError.last(of: database, code: code) }
        return size
    }
}
