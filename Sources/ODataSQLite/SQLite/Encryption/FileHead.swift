#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

/// What the first bytes of a file say of it.
enum FileHead {
    /// There is not a byte yet.
    case empty
    /// The file begins as SQLite's do (https://www.sqlite.org/fileformat.html § 1.3).
    case plain
    /// The file is made of whole pages that begin with random bytes: both ciphers put a salt where the plain file has its name.
    case encrypted
    /// Neither; what it is, SQLite says.
    case other

    /// Bytes that are looked at: the smallest page.
    private static let byteCount = 512
    /// Different values that 512 random bytes have at least; 221 are expected, and a text has not half as many.
    private static let leastValueCount = 150

    /// Looks at the file of a connection that has not read it yet.
    @unsafe static func read(_ database: OpaquePointer) throws -> FileHead {
        let (bytes, size) = unsafe try read(database, count: byteCount)
        return FileHead(bytes, fileSize: size)
    }

    /// The first bytes of the file, as many as there are of some.
    @unsafe static func bytes(_ database: OpaquePointer, count: Int) throws -> [UInt8] {
        let (_, size) = unsafe try read(database, count: 0)
        return unsafe try read(database, count: min(count, Int(size))).bytes
    }

    /// Bytes from an offset on, zeros where the file is shorter.
    @unsafe static func read(
        _ database: OpaquePointer,
        count: Int,
        at offset: Int64 = 0
    ) throws -> (bytes: [UInt8], fileSize: Int64) {
        var bytes = [UInt8](repeating: 0, count: count)
        var size: sqlite3_int64 = 0
        let code = unsafe csqlite_read(database, &bytes, Int32(count), offset, &size)
        guard code == SQLITE_OK else { throw unsafe SQLiteError.last(of: database, code: code) }
        return (bytes, size)
    }

    private init(_ bytes: [UInt8], fileSize: Int64) {
        if fileSize == 0 {
            self = .empty
        } else if bytes.starts(with: Array("SQLite format 3\0".utf8)) {
            self = .plain
        } else {
            let isMadeOfPages = fileSize >= Self.byteCount && fileSize % Int64(Self.byteCount) == 0
            let isRandom = Set(bytes).count >= Self.leastValueCount
            self = isMadeOfPages && isRandom ? .encrypted : .other
        }
    }
}
