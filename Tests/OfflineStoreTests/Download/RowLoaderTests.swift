import ODataValues
@testable import ODataSQLite
@testable import ODataSQL
@testable import StoreDownload
import ODataModel
import ODataPayload
import Testing

@testable import ODataTables

@Suite struct RowLoaderTests {
    private static let document = Array(
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
          <Property Name="Size" Type="Edm.Double"/><Property Name="Picture" Type="Edm.Binary"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="N.T"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """.utf8
    )

    /// A row as JSON, as the service would write it.
    struct Row: Sendable {
        var json: String
        var values: [Scalar]
        var etag: String?
    }

    /// Each row leaves out, or has empty, what the one before has had.
    private static let rows = [
        Row(
            json:
                #"{"@odata.etag":"W/\"1\"","ID":1,"Name":"an äpfel","Size":1.5,"Picture":"AQI="}"#,
            values: [.integer(1), .text("an äpfel"), .real(1.5), .blob([1, 2])],
            etag: #"W/"1""#
        ),
        Row(
            json: #"{"ID":2,"Name":"","Size":null,"Picture":""}"#,
            values: [.integer(2), .text(""), .null, .blob([])]
        ),
        Row(json: #"{"ID":3}"#, values: [.integer(3), .null, .null, .null]),
        Row(
            json: #"{"ID":4,"Picture":"AwQF","Name":"\#(String(repeating: "x", count: 40_000))"}"#,
            values: [
                .integer(4), .text(String(repeating: "x", count: 40_000)), .null, .blob([3, 4, 5]),
            ]
        ),
    ]

    /// Recorded rows are inserted without a copy of their values; nothing of one may come into another.
    @Test func insertsEachRowAsItIsWritten() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try TableCatalog.createSystemTables(connection)
        let schema = TableSchema(
            document: Self.document,
            layout: Layout(try CSDLDocument(reading: Self.document).model)
        )
        try load(schema, connection)
        for (index, row) in Self.rows.enumerated() {
            let statement = try connection.statement(
                #"SELECT "$etag", "ID", "Name", "Size", "Picture" FROM "Things" WHERE "$id" = ?1"#
            )
            try statement.bind(.integer(Int64(index + 1)), at: 1)
            try #require(try statement.step())
            #expect(statement.optionalString(0) == row.etag)
            #expect((1...4).map(statement.scalar) == row.values)
        }
    }

    private func load(_ schema: TableSchema, _ connection: SQLiteConnection) throws {
        let source = try #require(schema.model.navigationSource(named: "Things"))
        _ = try TableCatalog(connection, layout: schema.layout).ensureTable(source)
        let target = RowLoader.Target(
            system: [:],
            takeIDs: { try connection.takeRowIDs($0) },
            keepsLinks: false,
            tableName: { $0 }
        )
        var loader = RowLoader(connection, schema: schema, target: target)
        try recording(of: Self.rows.map(\.json), schema, source).play(into: &loader)
    }

    private func recording(
        of rows: [String],
        _ schema: TableSchema,
        _ source: NavigationSource
    ) throws -> EntityRecording {
        let plan = try #require(schema.plans.plan(for: source))
        var reader = PayloadReader(model: schema.model, plan: plan, plans: schema.plans)
        var recording = EntityRecording()
        let page = Array(#"{"value":[\#(rows.joined(separator: ","))]}"#.utf8)
        try reader.record(page.span, into: &recording)
        _ = try reader.finish()
        return recording
    }
}
