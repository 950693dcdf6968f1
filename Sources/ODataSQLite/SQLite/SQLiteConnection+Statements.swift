#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif
public import ODataValues

// Statements, compiled once, and what they answer.

extension SQLiteConnection {
    /// Runs statements that have no parameters and whose rows do not matter.
    public func execute(_ sql: String) throws {
        isSchemaChecked = false
        memory.hasTables = false
        try perform(sql)
    }

    /// Runs a statement that leaves the schema as it is.
    func perform(_ sql: String) throws {
        let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw unsafe SQLiteError.last(of: database, code: code, sql: sql)
        }
    }

    /// Runs a statement of this type's own, which is compiled the first time.
    func performOwn(_ sql: SQLText) throws {
        try ownStatement(sql).run()
    }

    func ownStatement(_ sql: SQLText) throws -> SQLiteStatement {
        if let known = ownStatements[ObjectIdentifier(sql)] { return known }
        let made = try compile(sql.text)
        ownStatements[ObjectIdentifier(sql)] = made
        return made
    }

    /// Texts of those statements; each lives as long as the program.
    enum OwnText {
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
        try statement(sql).firstRow(bindings, body)
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
