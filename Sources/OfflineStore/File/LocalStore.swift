import ODataProtocol
package import ODataService
package import ODataTables
import Synchronization

/// A store: its file, and the present version of its model.
package final class LocalStore: EntityStore {
    /// The file and its connections.
    package let file: StoreFile
    private let cached = Mutex<(version: Int64, schema: TableSchema)?>(nil)

    /// Opens the store at a path.
    ///
    /// - Parameter awaitsFirstLoad: Whether a service will fill a store that is new.
    /// - Throws: ``StoreError`` where it is missing (unless it is to be created) or no store.
    package init(path: String, isCreating: Bool, awaitsFirstLoad: Bool = false) throws {
        file = try StoreFile(path: path, isCreating: isCreating, awaitsFirstLoad: awaitsFirstLoad)
    }

    /// Returns the schema that the connection's transaction sees; another process may have upgraded it.
    package func schema(_ connection: SQLiteConnection) throws -> TableSchema {
        let version = try StoreSchema.version(connection)
        if let known = cached.guarded({ $0 }), known.version == version { return known.schema }
        guard let schema = try StoreSchema.load(connection) else {
            throw StoreError(
                .notOpen,
                "the store holds no metadata yet: open it with the service first"
            )
        }
        cached.guarded { $0 = (version, schema) }
        return schema
    }

    package func schema() async throws -> TableSchema {
        try await file.read { try self.schema($0) }
    }

    package func read<R: Sendable>(
        _ body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R {
        try await file.read { connection in
            let schema = try self.schema(connection)
            return try body(TableQuery(connection, schema.layout), schema)
        }
    }

    package func write<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        try await change(ChangeOptions(), body)
    }

    /// Makes local changes in one transaction.
    package func change<R: Sendable>(
        _ options: ChangeOptions,
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        try await file.writeTogether { connection in
            try body(StoreTransaction(connection, self.schema(connection), options))
        }
    }

    /// Makes local changes in one transaction while the calling thread waits.
    package func changeBlocking<R>(
        _ options: ChangeOptions,
        _ body: (any EntityWriting) throws -> R
    ) throws -> R {
        try file.writeBlocking { connection in
            try body(StoreTransaction(connection, self.schema(connection), options))
        }
    }

    /// Answers reads while the calling thread waits.
    package func readBlocking<R>(_ body: (TableQuery, TableSchema) throws -> R) throws -> R {
        try file.readBlocking { connection in
            let schema = try self.schema(connection)
            return try body(TableQuery(connection, schema.layout), schema)
        }
    }
}
