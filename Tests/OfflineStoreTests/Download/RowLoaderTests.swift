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
          <Property Name="Size" Type="Edm.Double"/><Property Name="Picture" Type="Edm.Binary"/>
          <Property Name="Price" Type="Edm.Decimal" Precision="12" Scale="2"/><Property Name="At" Type="Edm.DateTimeOffset" Precision="3"/>
          </EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="N.T"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """.utf8
    )

    /// A row as JSON, as the service would write it.
    struct Row: Sendable {
        var json: String
        var values: [Scalar]
        var etag: String?
        /// The column of exact texts.
        var exact: String?
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
            json: #"{"ID":6,"Price":1.50,"At":"2026-01-02T03:04:05.120+01:00","Size":-0.0}"#,
            values: [.integer(6), .null, .real(-0.0), .null],
            exact: #"{"Price":"1.50","At":"2026-01-02T03:04:05.120+01:00","Size":"-0.0"}"#
        ),
        Row(
            json: #"{"ID":4,"Picture":"AwQF","Name":"\#(String(repeating: "x", count: 40_000))"}"#,
            values: [
                .integer(4), .text(String(repeating: "x", count: 40_000)), .null, .blob([3, 4, 5]),
            ]
        ),
    ]

    /// An entity that is not plain ends a run of plain ones: it has a member that no column holds.
    private static let dynamic = Row(
        json: #"{"ID":5,"Extra":7}"#,
        values: [.integer(5), .null, .null, .null]
    )

    /// Recorded rows are inserted without a copy of their values; nothing of one may come into another.
    ///
    /// Few are bound one by one, many are read by SQLite from the recording; more than one block of row ids is taken for the most.
    @Test(arguments: [1, 4, 5, 1_100])
    func insertsEachRowAsItIsWritten(_ repetitions: Int) throws {
        let rows = (0..<repetitions).flatMap { _ in Self.rows }
        try expect(rows, from: try filled(with: rows))
    }

    @Test(arguments: [[0], [3], [20, 21], [37], [0, 40, 79]])
    func keepsTheOrderAroundEntitiesThatAreNotPlain(_ places: [Int]) throws {
        var rows = (0..<20).flatMap { _ in Self.rows }
        for place in places { rows.insert(Self.dynamic, at: place) }
        try expect(rows, from: try filled(with: rows))
    }

    /// Row ids need not follow one another from block to block: another load of the connection takes some too.
    @Test func takesTheIDsOfEachBlock() throws {
        let rows = (0..<1_100).flatMap { _ in Self.rows }
        let connection = try filled(with: rows, skippedIDs: 10)
        let ids = try connection.integer(#"SELECT max("$id") FROM "Things""#)
        #expect(ids == Int64(rows.count + 20))
        let count = try connection.integer(#"SELECT count(*) FROM "Things""#)
        #expect(count == Int64(rows.count))
    }

    @Test func givesRowsThatLeaveAColumnOutItsStandingValue() throws {
        let rows = (0..<8).flatMap { _ in Self.rows }
        let connection = try filled(with: rows, unknownSlots: [1, 3])
        let unknown = try connection.integer(
            #"SELECT count(*) FROM "Things" WHERE typeof("Picture") = 'text' AND "ID" = 3"#
        )
        #expect(unknown == 8)
        let known = try connection.integer(
            #"SELECT count(*) FROM "Things" WHERE "Name" = 'an äpfel' AND "Size" = 1.5"#
        )
        #expect(known == 8)
    }

    /// What SQLite says of a row's values fails the load, whichever way they go in.
    @Test(arguments: [2, 8])
    func failsWhereSQLiteRefusesARow(_ repetitions: Int) throws {
        let rows = (0..<repetitions).flatMap { _ in Self.rows }
        let error = #expect(throws: SQLiteError.self) {
            try filled(with: rows, isKeyUnique: true)
        }
        #expect(error?.isUniquenessViolation == true)
    }

    /// The virtual table goes with the loader: nothing of it is left on the connection.
    @Test func leavesNoVirtualTableBehind() throws {
        let connection = try filled(with: (0..<8).flatMap { _ in Self.rows })
        let left = try connection.integer(
            "SELECT count(*) FROM pragma_module_list WHERE name LIKE 'odata_rows%'"
        )
        #expect(left == 0)
    }

    private func expect(_ rows: [Row], from connection: SQLiteConnection) throws {
        var index = 0
        try connection.forEachRow(
            """
            SELECT "$etag", "ID", "Name", "Size", "Picture", "$exact" FROM "Things" ORDER BY "$id"
            """
        ) { statement in
            let row = rows[index]
            index += 1
            guard statement.optionalString(0) == row.etag,
                statement.optionalString(5) == row.exact,
                (1...4).map(statement.scalar) == row.values
            else {
                Issue.record("row \(index) is not as it was written")
                return
            }
        }
        #expect(index == rows.count)
    }

    private func filled(
        with rows: [Row],
        skippedIDs: Int = 0,
        unknownSlots: [Int] = [],
        isKeyUnique: Bool = false
    ) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try TableCatalog.createSystemTables(connection)
        let schema = TableSchema(
            document: Self.document,
            layout: Layout(try CSDLDocument(reading: Self.document).model)
        )
        let source = try #require(schema.model.navigationSource(named: "Things"))
        _ = try TableCatalog(connection, layout: schema.layout).ensureTable(source)
        // Rows of one key follow one another here.
        if !isKeyUnique { try connection.execute(#"DROP INDEX "$key:Things""#) }
        let target = RowLoader.Target(
            system: [:],
            takeIDs: { count in
                _ = try connection.takeRowIDs(skippedIDs)
                return try connection.takeRowIDs(count)
            },
            keepsLinks: false,
            tableName: { $0 }
        )
        let plan = try #require(schema.plans.plan(for: source))
        var loader = RowLoader(
            connection,
            schema: schema,
            target: target,
            unknownSlots: [plan.destination: unknownSlots]
        )
        try recording(of: rows.map(\.json), schema, source).play(into: &loader)
        return connection
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
