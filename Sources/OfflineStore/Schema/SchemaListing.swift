import ODataSQL
import StoreRecords
import ODataSQLite
import ODataValues
import ODataModel
import ODataTables
import Dispatch
import Synchronization

/// The statements of a store's schema, in the order of the model, each table with what it holds.
package struct SchemaListing: Sendable {
    private let schema: TableSchema

    private var model: EdmModel { schema.model }
    private var layout: Layout { schema.layout }

    /// Takes a metadata document.
    ///
    /// - Throws: `CSDLError` where it is none.
    package init(_ document: [UInt8]) throws {
        schema = try StoreSchema.make(document)
    }

    /// Tables made in one database in memory: for each further one SQLite walks through all that are there.
    private static let tablesInOne = 32

    /// Returns the statements with comments between them.
    package func statements() throws -> [String] {
        let tables = try inPieces(layout.sources) { $0.compactMap { layout[$0] } }.filter {
            !BuiltInSets.contains($0.source, in: model)
        }
        .map { table in
            Part(comment: comment(table)) { try $0.createUnnoted(table) }
        }
        let (lines, existing) = try common()
        let links = linkTables.filter { !existing.contains($0) }.map { name in
            Part(comment: "-- Links of \(name.drop { $0 != ":" }.dropFirst())") {
                try $0.ensureLinkTable(name)
            }
        }
        return try lines + listed(tables + links)
    }

    /// A table with its indexes, and how it is made.
    private struct Part: Sendable {
        let comment: String
        let make: @Sendable (TableCatalog) throws -> Void
    }

    /// What every store has, and the names of its tables.
    private func common() throws -> ([String], Set<String>) {
        try inMemory { connection in
            var lines = ["-- Bookkeeping of every store"]
            for sql in StoreTables.statements { try connection.execute(sql) }
            lines += try recorded(connection, since: 0)
            let last = try lastRecord(connection)
            try BuiltInSets.createViews(connection, layout: layout)
            lines += ["", "-- Entity sets that every store has"]
            lines += try recorded(connection, since: last)
            return try (lines, connection.tableNames())
        }
    }

    private func listed(_ parts: [Part]) throws -> [String] {
        try inPieces(parts) { parts in
            try inMemory { connection in
                let catalog = TableCatalog(connection, layout: layout)
                return try parts.flatMap { part in
                    let last = try lastRecord(connection)
                    try part.make(catalog)
                    return try ["", part.comment] + recorded(connection, since: last)
                }
            }
        }
    }

    /// Works on pieces of a list on all cores, and puts the results in order.
    private func inPieces<Item: Sendable, Result: Sendable>(
        _ items: [Item],
        work: @Sendable (ArraySlice<Item>) throws -> [Result]
    ) throws -> [Result] {
        let starts = Array(stride(from: 0, to: items.count, by: Self.tablesInOne))
        let found = Mutex<[Int: Swift.Result<[Result], any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: starts.count) { index in
            let piece = items[starts[index]...].prefix(Self.tablesInOne)
            let result = Swift.Result { try work(piece) }
            found.guarded { $0[index] = result }
        }
        let results = found.guarded { $0 }
        return try starts.indices.flatMap { try results[$0]?.get() ?? [] }
    }

    private func inMemory<R>(_ work: (SQLiteConnection) throws -> R) throws -> R {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        return try connection.write {
            try TableCatalog.createSystemTables(connection)
            return try work(connection)
        }
    }

    /// Names of the link tables that the model's relationships can come to need.
    private var linkTables: [String] {
        var found: Set<String> = []
        for table in layout.orderedTables {
            for type in table.types {
                for index in layout.model[type].navigationProperties.indices {
                    let id = NavigationPropertyID(type: type, index: index)
                    let target = layout.model.target(of: id, from: table.source)
                    if case .links(let name, _) = layout.relationship(
                        id,
                        from: table.source,
                        to: target
                    ) {
                        found.insert(name)
                    }
                }
            }
        }
        return found.sorted()
    }

    private func comment(_ table: TableLayout) -> String {
        let kind =
            switch table.source {
            case .entitySet: "Entity set"
            case .singleton: "Singleton"
            case .contained: "Contained entities"
            }
        return "-- \(kind) \(model.name(of: table.source)) of \(model[table.entityType].name)"
    }

    private func lastRecord(_ connection: SQLiteConnection) throws -> Int64 {
        try connection.integer("SELECT coalesce(max(rowid), 0) FROM sqlite_schema") ?? 0
    }

    /// What SQLite has written down of the statements since a record; its own indexes have no text.
    private func recorded(_ connection: SQLiteConnection, since last: Int64) throws -> [String] {
        var lines: [String] = []
        try connection.forEachRow(
            "SELECT sql FROM sqlite_schema WHERE rowid > ?1 AND sql IS NOT NULL ORDER BY rowid",
            [.integer(last)]
        ) { lines.append($0.string(0) + ";") }
        return lines
    }
}
