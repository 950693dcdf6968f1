import ODataSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What this process may do with a store's file.
enum StoreAccess {
    case full
    /// The file, or the directory in which SQLite would make its log, cannot be written, or has no room for that.
    case readOnly
    /// The same, without a write-ahead log beside the file: SQLite reads the file alone, without locks.
    case frozen

    /// - Parameter path: Of an existing file.
    init(_ path: String, key: EncryptionKey?) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let isWritable = Self.isWritable(path) && Self.isWritable(directory)
        var log = stat()
        let hasLog = unsafe stat(path + "-wal", &log) == 0 && log.st_size > 0
        self = isWritable ? .full : hasLog ? .readOnly : .frozen
        // With a log beside it another process has the file open, or it is to be recovered: that is not read past.
        if self == .full, !hasLog, Self.hasNoRoom(path, key) { self = .frozen }
    }

    /// Whether the disk is too full for what SQLite makes beside a file to read it.
    private static func hasNoRoom(_ path: String, _ key: EncryptionKey?) -> Bool {
        var disk = statvfs()
        let plenty = 1 << 20
        guard unsafe statvfs(path, &disk) == 0,
            UInt64(disk.f_bavail) * UInt64(disk.f_frsize) < plenty
        else { return false }
        do {
            let connection = try SQLiteConnection(path: path, mode: .readWrite, key: key)
            _ = try connection.integer("PRAGMA user_version")
            return false
        } catch let error as SQLiteError {
            return error.isFull
        } catch {
            return false
        }
    }

    /// Why a store that has a log cannot be read where nothing can be written; nil where that is not the reason.
    ///
    /// SQLite reads a log by an index beside it, and makes that where it is missing (https://www.sqlite.org/wal.html#readonly).
    func fault(of path: String) -> String? {
        guard self == .readOnly, unsafe access(path + "-shm", F_OK) != 0 else { return nil }
        return
            "its last changes are in \(path)-wal, and to read them SQLite needs a directory that can be written: copy both files to one"
    }

    private static func isWritable(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0
    }

    /// How connections are opened.
    var mode: SQLiteConnection.Mode {
        switch self {
        case .full: .readWrite
        case .readOnly: .readOnly
        case .frozen: .frozen
        }
    }

    /// How connections are opened that never write.
    var readingMode: SQLiteConnection.Mode { self == .full ? .readOnly : mode }
}
