#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

extension SQLiteError {
    /// Whether another connection held the lock for longer than the busy timeout.
    public var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

    /// Whether a unique index or primary key refused a row.
    public var isUniquenessViolation: Bool {
        extendedCode == Self.uniqueIndex || extendedCode == Self.primaryKey
    }

    /// `SQLITE_CONSTRAINT_UNIQUE` and `SQLITE_CONSTRAINT_PRIMARYKEY`, macros that Swift does not see.
    private static let uniqueIndex = SQLITE_CONSTRAINT | (8 << 8)
    private static let primaryKey = SQLITE_CONSTRAINT | (6 << 8)

    /// Whether the file is no database or a damaged one.
    public var isNotADatabase: Bool { code == SQLITE_NOTADB || code == SQLITE_CORRUPT }

    /// Whether the file cannot be opened.
    public var cannotOpen: Bool { code == SQLITE_CANTOPEN }

    /// Whether the file, or the place where it lies, cannot be written.
    public var isReadOnly: Bool { code == SQLITE_READONLY }

    /// Whether disk or file quota is used up.
    public var isFull: Bool {
        code == SQLITE_FULL || extendedCode == Self.sharedMemorySize
    }

    /// `SQLITE_IOERR_SHMSIZE`, a macro that Swift does not see: there is no room for the index of the write-ahead log, which readers
    /// need, too.
    private static let sharedMemorySize = SQLITE_IOERR | (19 << 8)

    /// Whether a statement was larger or deeper than SQLite takes (https://www.sqlite.org/limits.html).
    package var isBeyondLimits: Bool {
        let signs = [
            "parser stack overflow", "too many", "too large", "too deep", "too big",
            "at most 64 tables",
        ]
        return code == SQLITE_TOOBIG
            || code == SQLITE_ERROR && signs.contains { message.contains($0) }
    }

    /// What searches say where SQLite was built without FTS5, which cuts texts into words.
    package static let lacksFTS5Message =
        "searches need a SQLite with FTS5, which this one does not have"

    /// Whether a search, or the upkeep of a search index, misses FTS5.
    package var lacksFTS5: Bool {
        code == SQLITE_ERROR
            && (message == Self.lacksFTS5Message || message == "no such module: fts5")
    }

    /// What is wrong with the file, as the end of a sentence that begins with it; for people, without SQL.
    package var fileMessage: String {
        switch code {
        case SQLITE_BUSY, SQLITE_LOCKED: "is locked by another program; try again later"
        case SQLITE_READONLY:
            "is read-only; check its permissions and those of its folder, and whether the disk is full"
        case SQLITE_CANTOPEN:
            "cannot be opened; check that its folder exists and can be written"
        case SQLITE_PERM, SQLITE_AUTH: "may not be used; check its permissions"
        case SQLITE_CORRUPT, SQLITE_NOTADB: "is damaged, or no database"
        case SQLITE_FULL,
            SQLITE_IOERR where isFull:
            "has no room: the disk is full"
        case SQLITE_IOERR:
            "cannot be read or written; check the disk (SQLite error \(extendedCode))"
        case SQLITE_NOMEM: "needs more memory than there is"
        default: "does not fit this request (SQLite error \(extendedCode))"
        }
    }

    /// Whether `interrupt()` ended the statement.
    public var isInterrupted: Bool { code == SQLITE_INTERRUPT }

    /// The error that a connection reports for its last call.
    @unsafe static func last(of database: OpaquePointer?, code: Int32, sql: String? = nil)
        -> SQLiteError
    {
        let message = unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) }
        let extended = unsafe sqlite3_extended_errcode(database)
        return SQLiteError(
            extendedCode: (extended & 0xFF) == (code & 0xFF) ? extended : code,
            message: message ?? "unknown",
            sql: sql
        )
    }
}
