@testable import ODataSQLite
@testable import ODataSQL
import ODataBinding
import ODataModel
import TestSupport
import Testing

@testable import ODataTables

/// Tables of a small document in memory.
struct SmallTables {
    let connection: SQLiteConnection
    let schema: TableSchema

    init(_ document: [UInt8]) throws {
        connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try TableCatalog.createSystemTables(connection)
        schema = TableSchema(
            document: document,
            layout: Layout(try CSDLDocument(reading: document).model)
        )
    }

    func table(_ set: String) throws -> TableLayout {
        let source = try #require(schema.model.navigationSource(named: set))
        return try TableCatalog(connection, layout: schema.layout).ensureTable(source)
    }

    private func body(_ text: String, _ table: TableLayout) throws -> EntityBody {
        let plan = try #require(schema.plans.plan(for: table.source))
        return try #require(try EntityBodyReader.read(Array(text.utf8), plan: plan, in: schema))
    }

    func insert(_ text: String, into table: TableLayout) throws {
        try RowEditor(connection, layout: schema.layout)
            .insert(body(text, table), as: connection.takeRowID(), into: table, absent: .unknown)
    }

    func update(_ row: Int64, _ text: String, in table: TableLayout) throws {
        try RowEditor(connection, layout: schema.layout).update(
            row,
            in: table,
            with: body(text, table)
        )
    }

    func entities(_ url: String) throws -> [JSONValue] {
        let request = try BoundRequest(parsing: url, in: schema.model)
        guard case .entities(let path) = request.resource else { return [] }
        let answer = try TableQuery(connection, layout: schema.layout)
            .entities(path, options: request.options, format: AnswerFormat())
        return try JSONValue(Array("[".utf8) + answer.entities + [0x5D]).items
    }

    func ids(_ url: String) throws -> [String] {
        try entities(url).compactMap { $0["ID"]?.text }
    }
}
