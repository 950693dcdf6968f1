#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

// What is known of the file, and for how long.

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
    func keepMemory() {
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
    func forgetTables() {
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
