@testable import StoreRecords
import ODataSQL
import ODataSQLite
import ODataModel
import ODataTables
import TestSupport
import Testing

@testable import OfflineStore

/// Objects in a store's file that the engine did not make.
@Suite(.enabled(if: SearchSupport.isPresent, Comment(rawValue: SearchSupport.absence)))
struct ForeignObjectTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Others" Type="Collection(S.Item)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="S.Item">
        <NavigationPropertyBinding Path="Others" Target="Items"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func found(after statement: String?) async throws -> [String] {
        let filled = try FilledStore(Array(Self.metadata.utf8))
        try await filled.load("Items", [#"{"ID":1,"Others":[]}"#])
        return try await filled.store.file.write { connection in
            let layout = try filled.store.schema(connection).layout
            if let source = layout.model.navigationSource(named: "Items") {
                try TableCatalog(connection, layout: layout).createIndex(
                    on: source,
                    over: [["Name"]]
                )
                try TableCatalog(connection, layout: layout).createSearchIndex(on: source)
            }
            if let statement { try connection.execute(statement) }
            return try ForeignObjects.find(connection, layout: layout)
        }
    }

    @Test func findsNothingInItsOwnFile() async throws {
        #expect(try await found(after: nil) == [])
    }

    @Test(arguments: [
        (
            "CREATE TRIGGER t AFTER INSERT ON \"$queue\" BEGIN DELETE FROM \"$queue\"; END",
            "the trigger t on $queue"
        ),
        (
            "CREATE TRIGGER \"$t\" AFTER UPDATE ON Items BEGIN SELECT 1; END",
            "the trigger $t on Items"
        ),
        (
            """
            DROP TRIGGER "$search(Items):delete"; CREATE TRIGGER "$search(Items):delete" AFTER DELETE ON "Items"
            BEGIN DELETE FROM "$queue"; END
            """, "the trigger $search(Items):delete on Items"
        ),
        ("CREATE VIRTUAL TABLE \"$v\" USING fts5(a, content='$queue')", "the table $v"),
        ("CREATE VIEW v AS SELECT * FROM Items", "the view v"),
        ("CREATE VIEW \"$v\" AS SELECT * FROM Items", "the view $v"),
        ("CREATE UNIQUE INDEX i ON Items (Name)", "the index i on Items"),
        ("CREATE TABLE other (a)", "the table other"),
        (
            "DROP VIEW RequestQueue; CREATE VIEW RequestQueue AS SELECT 1 AS \"$id\"",
            "the view RequestQueue"
        ),
    ])
    func findsWhatAnotherHandMade(_ statement: String, _ expected: String) async throws {
        let lines = try await found(after: statement)
        #expect(lines == [expected + " is none of the store's: drop it"])
    }
}
