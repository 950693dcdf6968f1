import ODataBinding
import ODataModel
import ODataSQL
import ODataTables
import ODataValues
import Testing

@testable import ODataSQLite

/// References of a body that cannot be resolved, because they name nothing or because the file cannot be read.
@Suite struct UnreadableReferenceTests {
    private static let document = Array(
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """.utf8
    )

    /// A journal that keeps nothing.
    private final class SilentJournal: RowJournal {
        func prepare(_ body: inout EntityBody, as row: Int64, in table: TableLayout)
            -> SystemValues
        { SystemValues() }
        func inserted(_ row: Int64, in table: TableLayout) {}
        func willChange(_ row: Int64, in table: TableLayout) {}
        func willDelete(_ row: Int64, in table: TableLayout) {}
        func linked(_ source: Int64, to target: Int64?, table: String, isAdded: Bool) {}
    }

    /// Creates an order with an item that states its id.
    private func create(resolvingBy error: any Error) throws -> Int64? {
        let tables = try SmallTables(Self.document)
        let table = try tables.table("Orders")
        let plan = try #require(tables.schema.plans.plan(for: table.source))
        let text = #"{"ID":1,"Items":[{"@odata.id":"Orders(9)/Items(2)","ID":2}]}"#
        let body = try #require(
            try EntityBodyReader.read(Array(text.utf8), plan: plan, in: tables.schema)
        )
        let rows = RowEditor(tables.connection, layout: tables.schema.layout)
        let editor = EntityEditor(rows, journal: SilentJournal()) { _ in throw error }
        try editor.create(body, in: table.source)
        return try tables.connection.integer("SELECT count(*) FROM \(table.sql)")
    }

    @Test func createsAnEntityWhoseIdNamesNothing() throws {
        #expect(try create(resolvingBy: EditError(.notFound, "no such entity")) == 1)
    }

    @Test func doesNotTakeAReadErrorForAMissingEntity() throws {
        let error = SQLiteError(extendedCode: 10, message: "disk I/O error")
        #expect(throws: error) { try create(resolvingBy: error) }
    }
}
