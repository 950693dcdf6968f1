import ODataSQLite
import ODataSQL
import ODataValues
package import ODataAnswers
package import ODataModel
package import ODataTables
import Synchronization

/// Entities in the tables of one SQLite file, and nothing besides: what a stand-alone service answers from.
///
/// One connection writes; a few read beside it, each in a transaction of its own (WAL), so that a long answer blocks no other request.
package final class TableEntityStore: EntityStore {
    private let tableSchema: TableSchema
    private let settings: TableStoreSettings
    private let writer: DatabaseQueue
    private let readers: [DatabaseQueue]
    private let turn = Mutex(0)
    private let temporary: TemporaryFile?

    /// Opens or creates the file, a temporary one where there is no path.
    ///
    /// - Throws: `StandaloneServiceError` where the file is another program's or a store; `SQLiteError` for anything else.
    package init(
        path: String? = nil,
        document: [UInt8],
        model: EdmModel,
        settings: TableStoreSettings = TableStoreSettings()
    ) throws {
        if let path { try ServiceFile.check(path) }
        temporary = path == nil ? TemporaryFile() : nil
        let path = path ?? temporary?.path ?? ""
        self.settings = settings
        TemporaryFile.make(path)
        writer = try DatabaseQueue(path: path, mode: .create, label: "service.write")
        tableSchema = try writer.runBlocking {
            try Self.prepare($0, model: model, document: document)
        }
        readers = try (0..<settings.readerCount).map {
            try DatabaseQueue(path: path, mode: .readOnly, label: "service.read\($0)")
        }
        guard let temporary else { return }
        // Each connection has every file open once it has read; then nothing stays of them, however the process ends.
        for reader in readers {
            try reader.runBlocking { _ = try $0.integer("SELECT count(*) FROM sqlite_schema") }
        }
        temporary.remove()
    }

    private static func prepare(
        _ connection: SQLiteConnection,
        model: EdmModel,
        document: [UInt8]
    ) throws -> TableSchema {
        try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        return try connection.write {
            try ServiceFile.mark(connection)
            try TableCatalog.createSystemTables(connection)
            for sql in ChangeLog.createStatements + StreamTable.createStatements
                + [RequestMemory.createStatement]
            {
                try connection.execute(sql)
            }
            let names = try TableCatalog.loadNames(connection)
            let schema = TableSchema(document: document, layout: Layout(model, names: names))
            try TableCatalog(connection, layout: schema.layout).saveNames()
            let former = try ServiceDocument.former(connection, unless: document)
            let growth = TableGrowth(
                connection,
                from: former.map { TableSchema(document: [], layout: Layout($0, names: names)) },
                to: schema
            )
            try growth.follow()
            try ServiceDocument.save(document, connection)
            return schema
        }
    }

    package func schema() -> TableSchema { tableSchema }

    /// Brings everything out of the write-ahead log into the file, so that a copy of the file alone is complete.
    package func checkpoint() async throws {
        try await writer.run { connection in
            try connection.forEachRow("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
        }
    }

    package func read<R: Sendable>(
        _ body: @escaping @Sendable (TableQuery, TableSchema) throws -> R
    ) async throws -> R {
        let place = turn.guarded { turn in
            turn = (turn + 1) % readers.count
            return turn
        }
        let schema = tableSchema
        // A client that hangs up ends its read.
        let flag = CancelFlag()
        return try await withTaskCancellationHandler {
            try await readers[place].run { connection in
                try connection.cancellable(by: flag) {
                    try connection.read {
                        try body(TableQuery(connection, layout: schema.layout), schema)
                    }
                }
            }
        } onCancel: {
            flag.set()
        }
    }

    package func write<R: Sendable>(
        _ body: @escaping @Sendable (any EntityWriting) throws -> R
    ) async throws -> R {
        let (schema, settings) = (tableSchema, settings)
        return try await writer.run { connection in
            try Self.write(connection, schema: schema, settings: settings, isImport: false) {
                try body($0)
            }
        }
    }

    /// Runs the changes of an import: values that the service computes are taken as they come.
    package func load<R: Sendable>(
        _ body: @escaping @Sendable (TableWriting) throws -> R
    ) async throws -> R {
        let (schema, settings) = (tableSchema, settings)
        return try await writer.run { connection in
            try Self.write(
                connection,
                schema: schema,
                settings: settings,
                isImport: true,
                body: body
            )
        }
    }

    /// Remembers requests as long as the data; nil where that ends with the process.
    var requestMemory: RequestMemory? {
        temporary == nil ? RequestMemory(queue: writer) : nil
    }

    /// Whether the file has got the data that its service begins with.
    var isFilled: Bool {
        get async throws { try await writer.run { try ServiceFile.isFilled($0) } }
    }

    private static func write<R>(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        settings: TableStoreSettings,
        isImport: Bool,
        body: (TableWriting) throws -> R
    ) throws -> R {
        try connection.write {
            let writing = TableWriting(
                connection,
                schema: schema,
                settings: settings,
                isImport: isImport
            )
            let result = try body(writing)
            try writing.finish()
            return result
        }
    }
}
