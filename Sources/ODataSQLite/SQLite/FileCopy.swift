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
        let size = unsafe try FileHead.read(database, count: 0).fileSize
        for offset in stride(from: 0, to: size, by: pieceSize) {
            let count = min(pieceSize, Int(size - offset))
            let bytes = unsafe try FileHead.read(database, count: count, at: offset).bytes
            guard writeAll(bytes, to: file) else { throw fault(of: target) }
        }
    }

    /// Writes bytes; answers whether the system has taken all.
    private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            var start = 0
            while start < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                let written = unsafe systemWrite(file, rest.baseAddress, rest.count)
                guard written > 0 else { return false }
                start += written
            }
            return true
        }
    }
}

/// `write` of the system, which the enumeration's own function hides.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(file, bytes, count)
}
