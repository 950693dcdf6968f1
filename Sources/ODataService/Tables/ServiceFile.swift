import ODataSQLite
import ODataAnswers

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The file that a stand-alone service keeps its entities in: one of its own, or one that is not there yet.
enum ServiceFile {
    /// Refuses a file of another program, or of a store, before a byte of it changes.
    static func check(_ path: String) throws {
        if let fault = FileFault.writing(path) { throw refusal("cannot open \(path): \(fault)") }
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_size > 0 else { return }
        do {
            // Without a log SQLite can read the file alone and makes nothing beside it.
            let hasLog = unsafe access(path + "-wal", F_OK) == 0
            try check(SQLiteConnection(path: path, mode: hasLog ? .readOnly : .frozen), at: path)
        } catch let error as SQLiteError where error.isNotADatabase {
            throw refusal("\(path) is no SQLite database, or a damaged one")
        }
    }

    private static func check(_ connection: SQLiteConnection, at path: String) throws {
        switch try connection.integer("PRAGMA application_id") {
        case DatabaseMark.service: return
        case DatabaseMark.store:
            throw refusal(
                "\(path) is an offline store, whose changes have to go through its queue: serve the store itself, or choose another file"
            )
        case 0: if try isEmptyOrUnmarked(connection) { return }
        default: break
        }
        throw refusal(
            "\(path) is a SQLite database of another program: choose another file"
        )
    }

    /// Whether there is no table yet, or those of a service whose file has no mark.
    private static func isEmptyOrUnmarked(_ connection: SQLiteConnection) throws -> Bool {
        let counts = try connection.firstRow(
            """
            SELECT count(*), count(*) FILTER (WHERE "name" IN ('$layout', '$meta', '$content'))
            FROM sqlite_schema WHERE "type" = 'table'
            """
        ) { ($0.integer(0), $0.integer(1)) }
        return counts.map { $0.0 == 0 || $0.1 == 3 } ?? true
    }

    /// Marks a file as one of a service.
    static func mark(_ connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA application_id = \(DatabaseMark.service)")
    }

    /// Notes that a file has got the data that its service begins with.
    static func markFilled(_ connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA user_version = \(filled)")
    }

    /// Whether a file has got that data.
    static func isFilled(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer("PRAGMA user_version") == filled
    }

    private static let filled: Int64 = 1

    private static func refusal(_ message: String) -> StandaloneServiceError {
        StandaloneServiceError(message, isFileRefused: true)
    }
}
