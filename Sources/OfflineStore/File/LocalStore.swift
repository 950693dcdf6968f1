package import StoreRecords
package import ODataSQLite
import ODataValues
package import ODataAnswers
package import ODataTables
import Synchronization

/// A store: its file, and the present version of its model.
package final class LocalStore: EntityStore {
    /// The file and its connections.
    package let file: StoreFile
    /// What changes may take; nil where nothing limits it.
    private let room = Mutex<StoreRoom?>(nil)
    /// What calls of operations do to the store, by the operations' names.
    private let localEffects = Mutex<[String: LocalEffect]>([:])
    /// Whether reads include the states of relatives.
    private let showsRelatives: Bool
    private let cached = Mutex<(version: Int64, schema: TableSchema)?>(nil)

    /// Opens the store at a path.
    ///
    /// - Parameters:
    ///   - awaitsFirstLoad: Whether a service will fill a store that is new.
    ///   - key: The key of an encrypted store.
    /// - Throws: ``StoreError`` where it is missing (unless it is to be created) or no store.
    package init(
        path: String,
        isCreating: Bool,
        awaitsFirstLoad: Bool = false,
        showsRelatives: Bool = false,
        key: EncryptionKey? = nil
    ) throws {
        self.showsRelatives = showsRelatives
        file = try StoreFile(
            path: path,
            isCreating: isCreating,
            awaitsFirstLoad: awaitsFirstLoad,
            key: key
        )
    }

    /// Returns the schema that the connection's transaction sees; another process may have upgraded it.
    ///
    /// - Throws: ``StoreError`` before the first metadata has come.
    package func schema(_ connection: SQLiteConnection) throws -> TableSchema {
        guard let schema = try schemaIfAny(connection) else {
            throw StoreError(
                .notOpen,
                "the store holds no metadata yet: open it with the service first"
            )
        }
        return schema
    }

    /// Returns the schema that the connection's transaction sees; nil before the first metadata has come.
    package func schemaIfAny(_ connection: SQLiteConnection) throws -> TableSchema? {
        let version = try StoreSchema.version(connection)
        if let known = cached.guarded({ $0 }), known.version == version { return known.schema }
        let schema = try StoreSchema.load(connection)
        if let schema { cached.guarded { $0 = (version, schema) } }
        return schema
    }

    /// The schema as it was read last; nil before.
    package var knownSchema: TableSchema? { cached.guarded { $0 }?.schema }
    /// Whether it has been read.
    package var hasSchema: Bool { cached.guarded { $0 != nil } }

    package func schema() async throws -> TableSchema {
        try await file.read { try self.schema($0) }
    }

    package func read<R: Sendable>(
        _ body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R {
        try await file.read { connection in
            let plans = try self.plans(connection)
            return try body(self.query(connection, plans: plans), plans.schema)
        }
    }

    /// Runs reading work that ends when the task is cancelled; it does not begin where that was before.
    ///
    /// - Throws: `CancellationError` then.
    package func readCancellable<R: Sendable>(
        _ body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R {
        try await file.readCancellable { connection in
            let plans = try self.plans(connection)
            return try body(self.query(connection, plans: plans), plans.schema)
        }
    }

    private func query(_ connection: SQLiteConnection, plans: PlanCache) -> TableQuery {
        var query = TableQuery(connection, plans: plans)
        query.showsRelatives = showsRelatives
        return query
    }

    /// Returns what a reader has worked out so far, as long as it is good for the state that its transaction sees.
    private func plans(_ connection: SQLiteConnection) throws -> PlanCache {
        if let plans = connection.plans, try plans.isCurrent(connection) { return plans }
        let schema = try self.schema(connection)
        let version = try StoreSchema.version(connection)
        if let plans = connection.plans, try plans.isGood(connection, modelVersion: version) {
            return plans
        }
        let plans = try PlanCache(connection, schema: schema, modelVersion: version)
        connection.plans = plans
        return plans
    }

    package func write<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        try await change(ChangeOptions()) { try body($0) }
    }

    /// Makes local changes in one transaction.
    package func change<R: Sendable>(
        _ options: ChangeOptions,
        body: @escaping @Sendable (StoreTransaction) throws -> R
    ) async throws -> R {
        let room = room.guarded { $0 }
        guard let made = MadeRequests.current else {
            return try await file.writeTogether { connection in
                try self.change(connection, options: options, room: room, body: body)
            }
        }
        var own = options
        (own.optimizes, own.keepsRefused) = (false, true)
        let (outcome, added) = try await file.writeTogether { [own] connection in
            try RequestQueue(connection).adding {
                try self.change(connection, options: own, room: room) { transaction in
                    (result: try body(transaction), joined: transaction.joined)
                }
            }
        }
        made.add(added, joining: outcome.joined)
        return outcome.result
    }

    /// Makes local changes in one transaction while the calling thread waits.
    package func changeBlocking<R>(
        _ options: ChangeOptions,
        body: (StoreTransaction) throws -> R
    ) throws -> R {
        let room = room.guarded { $0 }
        return try file.writeBlocking { connection in
            try change(connection, options: options, room: room, body: body)
        }
    }

    private func change<R>(
        _ connection: SQLiteConnection,
        options: ChangeOptions,
        room: StoreRoom?,
        body: (StoreTransaction) throws -> R
    ) throws -> R {
        try together(connection, room: room) { try body($0(options)) }
    }

    /// Makes local changes with options of their own, all in one transaction.
    ///
    /// - Parameter body: Gets what makes a change with options.
    package func changeTogether<R: Sendable>(
        _ body: @escaping @Sendable (_ with: (ChangeOptions) throws -> StoreTransaction) throws -> R
    ) async throws -> R {
        let room = room.guarded { $0 }
        return try await file.write { try self.together($0, room: room, body) }
    }

    private func together<R>(
        _ connection: SQLiteConnection,
        room: StoreRoom?,
        _ body: ((ChangeOptions) throws -> StoreTransaction) throws -> R
    ) throws -> R {
        var made: [StoreTransaction] = []
        let mark = try room?.mark(connection)
        let result = try body { options in
            let transaction = try transaction(connection, options)
            made.append(transaction)
            return transaction
        }
        if let room, let mark {
            let grown = made.reduce(0) { $0 + $1.grownByteCount }
            try room.check(since: mark, grown: grown, connection)
        }
        return result
    }

    private func transaction(_ connection: SQLiteConnection, _ options: ChangeOptions) throws
        -> StoreTransaction
    {
        let transaction = StoreTransaction(
            connection,
            schema: try schema(connection),
            options: options
        )
        transaction.localEffects = localEffects.guarded { $0 }
        return transaction
    }

    /// Edits the bodies of requests in a write transaction, and refuses that where there is no room for them.
    package func withinRoom<R>(_ editor: QueueEditor, body: () throws -> R) throws -> R {
        guard let room = room.guarded({ $0 }) else { return try body() }
        return try room.check(editor.connection, edits: body)
    }

    /// Says what calls of an operation do to the store from now on.
    package func setLocalEffect(_ effect: LocalEffect?, of operation: String) {
        localEffects.guarded { $0[operation] = effect }
    }

    /// Limits what changes may take from now on.
    package func setRoom(_ room: StoreRoom) { self.room.guarded { $0 = room } }

    /// Answers reads while the calling thread waits.
    package func readBlocking<R>(_ body: (TableQuery, TableSchema) throws -> R) throws -> R {
        try file.readBlocking { connection in
            let plans = try self.plans(connection)
            return try body(self.query(connection, plans: plans), plans.schema)
        }
    }

    /// Answers a read that takes one statement by a plan that a reader has kept, while the calling thread waits.
    ///
    /// - Returns: nil where there is no such plan, or where the file has changed since it was last used.
    package func stepBlocking<R>(_ body: (SQLiteConnection, PlanCache) throws -> R?) throws -> R? {
        try file.stepBlocking { connection in
            guard let plans = connection.plans else { return nil }
            return try body(connection, plans)
        }
    }
}
