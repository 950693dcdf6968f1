import ODataSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What this process may do with a store's file.
enum StoreAccess {
    case full
    /// The file, or the directory in which SQLite would make its log, cannot be written.
    case readOnly
    /// The same, without a write-ahead log beside the file: SQLite reads the file alone, without locks.
    case frozen

    /// - Parameter path: Of an existing file.
    init(_ path: String) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let isWritable = Self.isWritable(path) && Self.isWritable(directory)
        var log = stat()
        let hasLog = unsafe stat(path + "-wal", &log) == 0 && log.st_size > 0
        self = isWritable ? .full : hasLog ? .readOnly : .frozen
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
