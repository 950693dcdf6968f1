#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif
public import ODataValues

/// One connection to a database file.
///
/// Not Sendable: a `DatabaseQueue` owns it and runs everything on it in turn.
@safe
public final class SQLiteConnection {
    let database: OpaquePointer
    private var cache = StatementCache()
    /// What ends the work that runs, where it can be cancelled.
    var cancelFlag: CancelFlag?
    /// Row ids that a transaction has taken out of the file's counter and none has used yet.
    private var reservedRowIDs: Range<Int64> = 0..<0
    /// How many statements were compiled; for tests that count rather than time.
    private(set) var preparedStatementCount = 0
    /// How many statements were asked for, those apart that begin and end transactions.
    public private(set) var startedStatementCount = 0
    /// Called before the end of each transaction that has changed rows, and part of it.
    package var beforeCommit: ((SQLiteConnection) throws -> Void)?
    /// Called after each transaction that has changed rows.
    package var afterCommit: (() -> Void)?
    /// Names of tables and views, with the number of the schema that they were read at.
    private var knownTables: (version: Int64, names: Set<String>, views: Set<String>)?
    /// The file's version in this transaction, once it was asked for.
    private var versionInTransaction: Int64?
    /// What was read of the file in earlier transactions.
    private var memory = FileMemory()
    /// Whether `knownTables` has been compared with the file in this transaction, and nothing was executed since that could change it.
    private var isSchemaChecked = false
    /// Whether `memory` has been compared with the file in this transaction.
    private var isMemoryChecked = false
    /// Statements that begin and end transactions, and the one that asks for the file's version: compiled once.
    private var ownStatements: [ObjectIdentifier: SQLiteStatement] = [:]
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
    private init(_ path: String, mode: Mode, key: EncryptionKey?, trial: KeyTrial) throws {
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

    /// Sets the number of bytes in the page cache.
    public func setCacheSize(bytes: Int) throws {
        try execute("PRAGMA cache_size = -\(bytes / 1024)")
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

// MARK: - Encryption

extension SQLiteConnection {
    /// Compares the beginning of the file with the key, before SQLite reads it.
    ///
    /// What a process that was killed has left beside an encrypted file is lost to a connection without its key: SQLite takes the
    /// journal for a damaged one and removes it.
    private func checkHead(_ key: EncryptionKey?) throws {
        switch unsafe (try FileHead.read(database), key) {
        case (.encrypted, nil): throw EncryptionMismatch.keyMissing
        case (.plain, _?): throw EncryptionMismatch.notEncrypted
        default: break
        }
    }

    /// What is read to see whether a key is the file's.
    private enum KeyTrial: String {
        case wholeSchema = "SELECT count(*) FROM sqlite_schema"
        /// A number of the first page.
        case head = "PRAGMA schema_version"
    }

    /// Tries a key on a copy where a process that was killed has left a journal: whoever opens the file brings back what stands in it,
    /// with a wrong key wrongly.
    private func tryOnCopy(_ key: EncryptionKey, of path: String) throws {
        guard HotJournal.stands(beside: path), try !isBeingWritten() else { return }
        let head = unsafe try FileHead.bytes(database, count: HotJournal.headCount)
        let copy = try HotJournal.copy(of: path, head)
        defer { HotJournal.removeCopy(copy) }
        do {
            _ = try SQLiteConnection(copy, mode: .readWrite, key: key, trial: .head)
        } catch EncryptionMismatch.wrongKey {
            // Another connection may have restored it meanwhile: then the file itself shows which key it has.
            guard !HotJournal.stands(beside: path) else { throw EncryptionMismatch.wrongKey }
        }
    }

    private func isBeingWritten() throws -> Bool {
        var isWritten: Int32 = 0
        try check(unsafe csqlite_is_being_written(database, &isWritten))
        return isWritten != 0
    }

    /// Gives the cipher the key, and reads with it.
    private func unlock(_ key: EncryptionKey, cipher: SQLiteCipher, trial: KeyTrial) throws {
        // Where the key is wrong, closing the connection must not bring the log into the file.
        _ = unsafe csqlite_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        let code = key.statement(cipher).withBytes { bytes in
            unsafe bytes.withUnsafeBytes {
                let sql = unsafe $0.bindMemory(to: CChar.self).baseAddress
                return unsafe sqlite3_exec(database, sql, nil, nil, nil)
            }
        }
        // Without its text: that is the key.
        try check(code)
        do {
            // What SQLite moves out of memory would be in plain text.
            try perform("PRAGMA temp_store = MEMORY; " + trial.rawValue)
        } catch let error as SQLiteError {
            guard error.isNotADatabase else { throw error }
            throw EncryptionMismatch.wrongKey
        }
        _ = unsafe csqlite_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    }

    /// Attaches another file under a name.
    ///
    /// - Parameter key: The key of that file; nil where it is not encrypted, whatever this connection's own file is.
    package func attach(_ path: String, as name: String, key: EncryptionKey?) throws {
        let statement = try prepare("ATTACH ?1 AS \(name.sqlQuoted) KEY ?2")
        try statement.bind(path, at: 1)
        guard let key else {
            try statement.bind("", at: 2)
            return try statement.run()
        }
        guard let cipher = SQLiteCipher.present else { throw EncryptionMismatch.noCipher }
        try key.attached(cipher).withBytes { bytes in
            try statement.bind(blob: bytes, at: 2)
        }
        try statement.run()
    }
}

// MARK: - Statements

extension SQLiteConnection {
    /// Runs statements that have no parameters and whose rows do not matter.
    public func execute(_ sql: String) throws {
        isSchemaChecked = false
        memory.hasTables = false
        try perform(sql)
    }

    /// Runs a statement that leaves the schema as it is.
    private func perform(_ sql: String) throws {
        let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw unsafe SQLiteError.last(of: database, code: code, sql: sql)
        }
    }

    /// Runs a statement of this type's own, which is compiled the first time.
    private func performOwn(_ sql: SQLText) throws {
        try ownStatement(sql).run()
    }

    private func ownStatement(_ sql: SQLText) throws -> SQLiteStatement {
        if let known = ownStatements[ObjectIdentifier(sql)] { return known }
        let made = try compile(sql.text)
        ownStatements[ObjectIdentifier(sql)] = made
        return made
    }

    /// Texts of those statements; each lives as long as the program.
    private enum OwnText {
        static let begin = SQLText("BEGIN")
        static let beginWriting = SQLText("BEGIN IMMEDIATE")
        static let commit = SQLText("COMMIT")
        static let rollback = SQLText("ROLLBACK")
        static let savepoint = SQLText("SAVEPOINT inner")
        static let release = SQLText("RELEASE inner")
        static let version = SQLText("PRAGMA data_version")
    }

    /// Returns the statement for a text, from the cache where it has been used before; reset, its parameters cleared.
    public func statement(_ sql: String) throws -> SQLiteStatement {
        startedStatementCount += 1
        if let cached = cache.take(sql) { return cached }
        let made = try prepare(sql)
        cache.insert(made)
        return made
    }

    /// Returns the statement for a text as the other form does, found by the object.
    package func statement(_ sql: SQLText) throws -> SQLiteStatement {
        if let cached = cache.take(sql) {
            startedStatementCount += 1
            return cached
        }
        return try statement(sql.text)
    }

    /// Counts a statement that its owner has kept.
    package func noteStart() {
        startedStatementCount += 1
    }

    /// Compiles one statement that is not kept.
    public func prepare(_ sql: String) throws -> SQLiteStatement {
        preparedStatementCount += 1
        return try compile(sql)
    }

    private func compile(_ sql: String) throws -> SQLiteStatement {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            database,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &handle,
            nil
        )
        guard code == SQLITE_OK, let handle = unsafe handle else {
            throw unsafe SQLiteError.last(of: database, code: code, sql: sql)
        }
        return unsafe SQLiteStatement(handle, of: database, sql: sql)
    }

    /// Runs a statement with values to its end.
    public func run(_ sql: String, _ bindings: [Scalar] = []) throws {
        let statement = try statement(sql)
        try statement.bind(bindings)
        try statement.run()
    }

    /// Calls a function for each row of a query.
    public func forEachRow(
        _ sql: String,
        _ bindings: [Scalar] = [],
        _ body: (SQLiteStatement) throws -> Void
    ) throws {
        let statement = try statement(sql)
        try statement.bind(bindings)
        defer { statement.reset() }
        while try statement.step() { try body(statement) }
    }

    /// Returns what a function makes of the first row; nil where there is none.
    public func firstRow<R>(
        _ sql: String,
        _ bindings: [Scalar] = [],
        _ body: (SQLiteStatement) throws -> R
    ) throws -> R? {
        let statement = try statement(sql)
        try statement.bind(bindings)
        defer { statement.reset() }
        return try statement.step() ? try body(statement) : nil
    }

    /// Returns the first column of the first row as an integer; nil where there is no row or it is null.
    public func integer(_ sql: String, _ bindings: [Scalar] = []) throws -> Int64? {
        try firstRow(sql, bindings) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    }

    /// Returns the first column of the first row as text; nil where there is no row or it is null.
    public func text(_ sql: String, _ bindings: [Scalar] = []) throws -> String? {
        try firstRow(sql, bindings) { $0.isNull(0) ? nil : $0.string(0) } ?? nil
    }

    /// How many compiled statements there are; for tests.
    package var statementCount: Int {
        var count = 0
        var next = unsafe sqlite3_next_stmt(database, nil)
        while let statement = unsafe next {
            count += 1
            unsafe next = sqlite3_next_stmt(database, statement)
        }
        return count
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    public var changedRowCount: Int { Int(unsafe sqlite3_changes64(database)) }

    /// How many rows all statements of this connection have changed.
    public var totalChangedRowCount: Int { Int(unsafe sqlite3_total_changes64(database)) }

    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw unsafe SQLiteError.last(of: database, code: code) }
    }
}

// MARK: - Schema

extension SQLiteConnection {
    /// A number that differs from the one before where another connection has changed the file in between; in a transaction, whose
    /// state of the file it belongs to (https://www.sqlite.org/pragma.html#pragma_data_version).
    package func fileVersion() throws -> Int64 {
        if let versionInTransaction, isInTransaction { return versionInTransaction }
        let statement = try ownStatement(OwnText.version)
        defer { statement.reset() }
        let version = try statement.step() ? statement.integer(0) : 0
        if isInTransaction { versionInTransaction = version }
        return version
    }

    /// Returns a number of the file, read only if another connection may have changed it since it was last read or noted here.
    package func remembered(
        _ number: WritableKeyPath<FileMemory, Int64?>,
        read: () throws -> Int64
    ) throws -> Int64 {
        guard isInTransaction else { return try read() }
        try checkMemory()
        if let known = memory[keyPath: number] { return known }
        let value = try read()
        memory[keyPath: number] = value
        return value
    }

    /// Notes a number of the file that this transaction has changed; nil to have it read anew.
    package func remember(_ value: Int64?, as number: WritableKeyPath<FileMemory, Int64?>) {
        memory[keyPath: number] = value
    }

    /// Forgets what was read of the file where another connection has changed it; in a transaction.
    private func checkMemory() throws {
        guard !isMemoryChecked else { return }
        // A transaction that only reads has no state of the file before its first statement.
        if unsafe sqlite3_txn_state(database, nil) == SQLITE_TXN_NONE { _ = try fileVersion() }
        isMemoryChecked = true
        if memory.stateVersion != stateVersion { memory = FileMemory() }
    }

    /// Notes the state of the file that a committed transaction leaves behind: what it knew of the file is good for that one.
    private func keepMemory() {
        memory.stateVersion = isMemoryChecked ? stateVersion : nil
    }

    /// A number that changes with every commit to the file by any connection or process; asked while a statement or a
    /// transaction reads it (https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html).
    package var stateVersion: UInt32 {
        var version: UInt32 = 0
        _ = unsafe sqlite3_file_control(database, nil, SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    /// The number of the schema that `tableNames` were read at.
    package var tableNamesVersion: Int64? { knownTables?.version }

    /// Names of the tables and views of the file, read anew only where its schema has changed since.
    public func tableNames() throws -> Set<String> {
        if isSchemaChecked, isInTransaction, let knownTables { return knownTables.names }
        if isInTransaction {
            try checkMemory()
            if memory.hasTables, let knownTables { return knownTables.names }
        }
        defer { memory.hasTables = isInTransaction && isMemoryChecked }
        let version = try integer("PRAGMA schema_version") ?? 0
        if let knownTables, knownTables.version == version {
            isSchemaChecked = true
            return knownTables.names
        }
        var (names, views): (Set<String>, Set<String>) = ([], [])
        try forEachRow(
            "SELECT \"name\", \"type\" = 'view' FROM sqlite_schema WHERE \"type\" IN ('table', 'view')"
        ) { row in
            names.insert(row.string(0))
            if row.integer(1) != 0 { views.insert(row.string(0)) }
        }
        knownTables = (version, names, views)
        isSchemaChecked = true
        return names
    }

    /// Makes a table or an index; names that are known stay known, since a model may bring thousands of tables in one transaction.
    package func create(_ statement: String, named name: String, isTable: Bool = true) throws {
        let isKnown = isInTransaction && (isSchemaChecked || memory.hasTables) && knownTables != nil
        try execute(statement)
        guard isKnown else { return }
        if isTable { knownTables?.names.insert(name) }
        knownTables?.version = try integer("PRAGMA schema_version") ?? 0
        isSchemaChecked = true
    }

    /// Names of the views among them.
    package func viewNames() throws -> Set<String> {
        _ = try tableNames()
        return knownTables?.views ?? []
    }

    /// Forgets what is known of the schema: a rollback may give its number back, to be used for another one.
    private func forgetTables() {
        knownTables = nil
        isSchemaChecked = false
        reservedRowIDs = 0..<0
        memory = FileMemory()
    }

    /// Runs a function that writes the tables behind virtual ones, which only their modules may write otherwise.
    func withWritableShadows(_ body: () throws -> Void) throws {
        _ = unsafe csqlite_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0)
        defer { _ = unsafe csqlite_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1) }
        try body()
    }

    /// Runs a function that writes `sqlite_schema` itself, then reads the schema anew; in a write transaction.
    ///
    /// The schema's number is raised, so that every other connection reads it anew too. It is for texts that differ from the old
    /// ones by columns at the end of tables, which is what `ALTER TABLE … ADD COLUMN` writes, one column and one reading of the
    /// whole schema at a time (https://www.sqlite.org/lang_altertable.html).
    public func withWritableSchema(_ body: () throws -> Void) throws {
        _ = unsafe csqlite_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0)
        defer {
            // Forgets what was read of the schema, also where the change is about to be rolled back.
            try? execute("PRAGMA writable_schema = RESET")
            _ = unsafe csqlite_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1)
        }
        try execute("PRAGMA writable_schema = ON")
        try body()
        let version = try integer("PRAGMA schema_version") ?? 0
        try execute("PRAGMA schema_version = \(version + 1)")
    }
}

// MARK: - Transactions

extension SQLiteConnection {
    /// Whether a transaction is open.
    public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(database) == 0 }

    /// Runs a function in one transaction that writes; an error rolls everything back.
    ///
    /// It begins IMMEDIATE, so that no transaction grows from reading to writing and then finds another writer ahead of it.
    public func write<R>(_ body: () throws -> R) throws -> R {
        try transaction(beginning: OwnText.beginWriting, body)
    }

    /// Like `write`, but without notifying observers; for changes that no query can see.
    package func writeUnseen<R>(_ body: () throws -> R) throws -> R {
        let notify = afterCommit
        afterCommit = nil
        defer { afterCommit = notify }
        return try write(body)
    }

    /// Runs a function in one read transaction: all its queries see one state.
    public func read<R>(_ body: () throws -> R) throws -> R {
        try transaction(beginning: OwnText.begin, body)
    }

    /// Runs a function that takes effect as a whole or not at all inside the open transaction.
    public func savepoint<R>(_ body: () throws -> R) throws -> R {
        try performOwn(OwnText.savepoint)
        do {
            let result = try body()
            try performOwn(OwnText.release)
            return result
        } catch {
            forgetTables()
            // Some errors (disk full, interrupt) have already rolled everything back.
            if isInTransaction { try perform("ROLLBACK TO inner; RELEASE inner") }
            throw error
        }
    }

    private func transaction<R>(beginning: SQLText, _ body: () throws -> R) throws -> R {
        (isSchemaChecked, isMemoryChecked) = (false, false)
        versionInTransaction = nil
        try performOwn(beginning)
        let before = totalChangedRowCount
        do {
            let result = try body()
            if let beforeCommit, totalChangedRowCount != before { try beforeCommit(self) }
            try performOwn(OwnText.commit)
            keepMemory()
            if let afterCommit, totalChangedRowCount != before { afterCommit() }
            return result
        } catch {
            forgetTables()
            // Some errors (disk full, interrupt) have already rolled back.
            if isInTransaction { try performOwn(OwnText.rollback) }
            throw error
        }
    }

    /// Takes one row id, out of a block that this connection has reserved: the counter is written once for each block.
    ///
    /// A block is gone from the counter with the transaction that takes it, so that no other connection gives an id of it away. What
    /// a rollback may have given back is not used.
    package func takeReservedRowID(_ reserve: (Int64) throws -> Int64) throws -> Int64 {
        if reservedRowIDs.isEmpty {
            let first = try reserve(Self.rowIDBlock)
            reservedRowIDs = first..<first + Self.rowIDBlock
        }
        let id = reservedRowIDs.lowerBound
        reservedRowIDs = id + 1..<reservedRowIDs.upperBound
        return id
    }

    /// Ends the statement that runs now; may be called from any thread while the connection is alive.
    public func interrupt() {
        unsafe sqlite3_interrupt(database)
    }
}
