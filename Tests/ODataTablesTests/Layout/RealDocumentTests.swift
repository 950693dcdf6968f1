@testable import ODataSQLite
@testable import ODataSQL
import ODataBinding
import ODataModel
import TestSupport
import Testing

@testable import ODataTables

private let documents = SharedFolder.names(in: "metadata").filter { $0.hasSuffix(".xml") }

/// Every document that there is: its tables are made, and entities with every property come back as they went in.
@Suite(
    .enabled(if: SharedFolder.isPresent, "The folder '../shared' with real documents is absent.")
)
struct RealDocumentTests {
    @Test func findsTheDocuments() {
        #expect(documents.count == 160)
    }

    @Test(arguments: documents)
    func bringsBackWhatWentIn(_ document: String) throws {
        let trip = try RoundTrip(
            model: CSDLDocument(reading: SharedFolder.bytes("metadata/" + document)).model
        )

        let differences = try trip.differences()

        #expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
    }
}

/// Writes entities of a model through the payload's way and reads them through a query.
private struct RoundTrip {
    /// Tables and entities tried of one document.
    private static let tableCount = 20
    private static let entityCount = 40

    let connection: SQLiteConnection
    let schema: TableSchema

    init(model: EdmModel) throws {
        connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try TableCatalog.createSystemTables(connection)
        schema = TableSchema(document: [], layout: Layout(model))
    }

    private var model: EdmModel { schema.model }

    func differences() throws -> [String] {
        var samples = EntitySamples(model)
        let catalog = TableCatalog(connection, layout: schema.layout)
        var cases: [(TableLayout, StructuredTypeID)] = []
        for source in TestScale.sample(schema.layout.sources, of: Self.tableCount) {
            let table = try catalog.ensureTable(source)
            try catalog.ensureCopies(table.baseName, of: table)
            try catalog.ensureCopies(table.serverName, of: table)
            cases += table.types.filter { !model[$0].isAbstract }.map { (table, $0) }
        }
        var found: [String] = []
        for (table, type) in TestScale.sample(cases, of: Self.entityCount) {
            for style in EntitySamples.Style.allCases {
                let text = samples.entity(type, style, declared: table.entityType)
                if let difference = try difference(text, table) {
                    found.append("\(model[type].name) in \(table.name), \(style): \(difference)")
                }
            }
        }
        return found
    }

    /// Inserts an entity, reads it back and takes it out again; answers what has changed on the way.
    private func difference(_ text: String, _ table: TableLayout) throws -> String? {
        let plan = try #require(schema.plans.plan(for: table.source))
        let wrapped = model.version.isV4 ? text : "{\"d\":\(text)}"
        let body = try #require(
            try EntityBodyReader.read(Array(wrapped.utf8), plan: plan, in: schema)
        )
        let rows = RowEditor(TableCatalog(connection, layout: schema.layout))
        let row = try connection.takeRowID()
        try rows.insert(body, as: row, into: table, absent: .unknown)
        let answer = try TableQuery(connection, layout: schema.layout).entities(
            EntityPath(source: table.source),
            options: BoundOptions(),
            among: [row],
            format: AnswerFormat()
        )
        try rows.delete(row, in: table)
        let sent = try JSONValue(text)
        return try sent.difference(to: JSONValue(answer.entities))
            ?? sent.difference(to: JSONValue(EntityBodyWriter.json(body, in: schema)), at: "sent")
    }
}
