package import ODataSQLite
import ODataSQL
import ODataBinding
import ODataModel
package import ODataAnswers
package import ODataTables

/// Lists the streams of a set's entities, of contained ones too, as the store shows them.
package struct StreamExport {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let references: ExportedReferences

    /// A stream that the store holds.
    package struct Item: Sendable {
        /// Where it is, relative to the service root: `Photos(1)/$value`.
        package var url: String
        package var head: StreamTable.Head
    }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        (self.connection, self.schema) = (connection, schema)
        // URLs of the store are those of version 4.
        references = ExportedReferences(connection, schema: schema, version: .v4)
    }

    /// Returns the streams of a set or singleton, in the order of their URLs: that of the rows is another one in each store.
    package func items(of set: String) throws -> [Item] {
        guard let source = schema.model.navigationSource(named: set),
            try connection.integer("SELECT 1 FROM \"$streamHead\" LIMIT 1") != nil
        else { return [] }
        let catalog = TableCatalog(connection, layout: schema.layout)
        return try catalog.tables()
            .filter { $0.source == source || $0.isContained }
            .flatMap { try items(in: $0, of: set) }
            .sorted { $0.url < $1.url }
    }

    private func items(in table: TableLayout, of set: String) throws -> [Item] {
        var streams: [(row: Int64, property: String)] = []
        try connection.forEachRow(
            """
            SELECT h."row", h."property" FROM \(table.sql) t JOIN "$streamHead" h ON h."row" = t."$id"
            """
        ) { streams.append(($0.integer(0), $0.string(1))) }
        return try streams.compactMap { stream in
            let row = RowReference(source: table.source, row: stream.row)
            guard let entity = try references.text(of: row), isIn(set, url: entity),
                let head = try StreamTable(connection).head(
                    of: stream.row,
                    property: stream.property
                )
            else { return nil }
            let path = try references.path(from: row, toStream: stream.property)
            return Item(url: entity + path, head: head)
        }
    }

    /// Whether the URL of an entity begins with a set: contained entities may be in any.
    private func isIn(_ set: String, url: String) -> Bool {
        guard let request = try? BoundRequest(parsing: url, in: schema.model),
            case .entities(let path) = request.resource
        else { return false }
        return schema.model.name(of: path.source) == set
    }
}
