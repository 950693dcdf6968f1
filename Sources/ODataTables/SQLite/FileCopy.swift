#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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

    /// The copy cannot be written.
    package struct WriteError: Error, CustomStringConvertible {
        package let description: String
    }

    /// Writes a new file that only its owner can read.
    ///
    /// - Throws: ``SQLiteError`` where the file cannot be read, ``WriteError`` where the copy cannot be written.
    package static func write(_ path: String, to target: String) throws {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil)
        defer { _ = unsafe sqlite3_close_v2(handle) }
        guard code == SQLITE_OK, let database = unsafe handle else {
            throw unsafe SQLiteError.last(of: handle, code: code)
        }
        let file = unsafe open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw fault(of: target) }
        defer { close(file) }
        try unsafe copy(database, to: file, at: target)
    }

    private static func fault(of target: String) -> WriteError {
        WriteError(
            description: unsafe "cannot write \(target): " + String(cString: strerror(errno))
        )
    }

    @unsafe private static func copy(
        _ database: OpaquePointer,
        to file: Int32,
        at target: String
    ) throws {
        var offset: Int64 = 0
        var bytes = [UInt8](repeating: 0, count: pieceSize)
        while true {
            let size = unsafe try read(database, to: &bytes, count: 0, at: offset)
            let count = min(pieceSize, Int(size - offset))
            guard count > 0 else { return }
            _ = unsafe try read(database, to: &bytes, count: count, at: offset)
            guard writeAll(bytes, count: count, to: file) else { throw fault(of: target) }
            offset += Int64(count)
        }
    }

    /// Writes the first bytes of a buffer; answers whether the system has taken all.
    private static func writeAll(_ bytes: [UInt8], count: Int, to file: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            var start = 0
            while start < count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<count])
                let written = unsafe systemWrite(file, rest.baseAddress, rest.count)
                guard written > 0 else { return false }
                start += written
            }
            return true
        }
    }

    /// Answers the size of the file.
    @unsafe private static func read(
        _ database: OpaquePointer,
        to bytes: inout [UInt8],
        count: Int,
        at offset: Int64
    ) throws -> Int64 {
        var size: sqlite3_int64 = 0
        let code = unsafe csqlite_read(database, &bytes, Int32(count), offset, &size)
        guard code == SQLITE_OK else { throw unsafe SQLiteError.last(of: database, code: code) }
        return size
    }
}

/// `write` of the system, which the enumeration's own function hides.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(file, bytes, count)
}
