#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

/// One connection to a database file.
///
/// Not Sendable: a `DatabaseQueue` owns it and runs everything on it in turn.
@safe
public final class SQLiteConnection {
    let database: OpaquePointer
    var cache = StatementCache()
    /// What ends the work that runs, where it can be cancelled.
    var cancelFlag: CancelFlag?
    /// Row ids that a transaction has taken out of the file's counter and none has used yet.
    var reservedRowIDs: Range<Int64> = 0..<0
    /// How many statements were compiled; for tests that count rather than time.
    var preparedStatementCount = 0
    /// How many statements were asked for, those apart that begin and end transactions.
    public internal(set) var startedStatementCount = 0
    /// Called before the end of each transaction that has changed rows, and part of it.
    package var beforeCommit: ((SQLiteConnection) throws -> Void)?
    /// Called after each transaction that has changed rows.
    package var afterCommit: (() -> Void)?
    /// Names of tables and views, with the number of the schema that they were read at.
    var knownTables: (version: Int64, names: Set<String>, views: Set<String>)?
    /// The file's version in this transaction, once it was asked for.
    var versionInTransaction: Int64?
    /// What was read of the file in earlier transactions.
    var memory = FileMemory()
    /// Whether `knownTables` has been compared with the file in this transaction, and nothing was executed since that could change it.
    var isSchemaChecked = false
    /// Whether `memory` has been compared with the file in this transaction.
    var isMemoryChecked = false
    /// Statements that begin and end transactions, and the one that asks for the file's version: compiled once.
    var ownStatements: [ObjectIdentifier: SQLiteStatement] = [:]
    /// What its user keeps beside it for as long as it is open, such as translated requests.
    package var companion: AnyObject?

    /// How long a statement waits for another process's lock, in milliseconds.
    static let busyTimeout: Int32 = 10_000

    /// Row ids reserved at a time.
    static let rowIDBlock: Int64 = 64

    /// What the connection may do.
    public enum Mode: Sendable {
        /// Reads an existing file.
        case readOnly
        /// Reads an immutable file, without creating files beside it.
        case frozen
        /// Reads and writes an existing file.
        case readWrite
        /// Reads and writes; creates the file if it is missing.
        case create
    }

    /// Opens the file, and creates it where the mode allows.
    ///
    /// - Parameter key: The key of an encrypted file.
    /// - Throws: ``SQLiteError`` when the file cannot be opened or is no database, ``EncryptionMismatch`` when the key is not the file's.
    public convenience init(path: String, mode: Mode, key: EncryptionKey? = nil) throws {
        try self.init(path, mode: mode, key: key, trial: .wholeSchema)
    }

    /// Opens the file and tries the key.
    init(_ path: String, mode: Mode, key: EncryptionKey?, trial: KeyTrial) throws {
        let cipher = key == nil ? nil : SQLiteCipher.present
        guard key == nil || cipher != nil else { throw EncryptionMismatch.noCipher }
        guard key?.isTakenForRaw != true else { throw EncryptionMismatch.ambiguousKey }
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open_v2(mode.name(of: path), &handle, mode.flags, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            let error = unsafe SQLiteError.last(of: handle, code: code)
            _ = unsafe sqlite3_close_v2(handle)
            throw error
        }
        unsafe database = unsafe handle
        // Before the file is read for the first time: another connection may be writing it.
        _ = unsafe sqlite3_extended_result_codes(database, 1)
        _ = unsafe sqlite3_busy_timeout(database, Self.busyTimeout)
        // A database in memory has no file, and asking for a cipher opens one.
        if path != ":memory:" { try checkHead(key) }
        if let key, let cipher {
            if trial == .wholeSchema, mode.mayChange { try tryOnCopy(key, of: path) }
            try unlock(key, cipher: cipher, trial: trial)
        }
        try configure()
    }

    deinit {
        cache.removeAll()
        ownStatements = [:]
        companion = nil
        _ = unsafe sqlite3_close_v2(database)
    }

    /// Settings that every connection has, reading ones too: nothing in a hostile file may run code or reach other tables.
    private func configure() throws {
        for option in [
            SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        ] {
            _ = unsafe csqlite_db_config(database, option, 0)
        }
        _ = unsafe csqlite_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1)
        try registerFunctions()
    }

    private func registerFunctions() throws {
        for function in ScalarFunction.all {
            try check(unsafe function.register(on: database))
        }
        for function in AggregateFunction.all {
            try check(unsafe function.register(on: database))
        }
    }
}

extension SQLiteConnection.Mode {
    fileprivate var mayChange: Bool { self == .readWrite || self == .create }

    fileprivate var flags: Int32 {
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        case .frozen: SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        }
    }

    /// What SQLite is given for a path; a URI where only that can say what is meant (https://www.sqlite.org/uri.html).
    fileprivate func name(of path: String) -> String {
        guard self == .frozen else { return path }
        let escapes = ["%": "%25", "?": "%3f", "#": "%23"] as [Character: String]
        return "file:" + path.map { escapes[$0] ?? String($0) }.joined() + "?immutable=1"
    }
}
