#if SQLCipher
    import CSQLCipher
#else
    import CSQLite
#endif

// Transactions, and what belongs to one.

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
