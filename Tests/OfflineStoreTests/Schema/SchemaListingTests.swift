import ODataSQLite
import Testing

@testable import OfflineStore

@Suite struct SchemaListingTests {
    /// More tables than are made in one database.
    private static let setCount = 70

    private static func metadata() -> [UInt8] {
        let types = (0..<setCount).map { number in
            """
            <EntityType Name="T\(number)"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Next" Type="Collection(N.T\((number + 1) % setCount))"/></EntityType>
            """
        }
        let sets = (0..<setCount).map { number in
            """
            <EntitySet Name="S\(number)" EntityType="N.T\(number)">
            <NavigationPropertyBinding Path="Next" Target="S\((number + 1) % setCount)"/></EntitySet>
            """
        }
        return Array(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            \(types.joined())<EntityContainer Name="C">\(sets.joined())</EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """.utf8
        )
    }

    @Test func listsEveryTableOnceAndMakesTheSameSchema() throws {
        let statements = try SchemaListing(Self.metadata()).statements()
        let tables = statements.filter { $0.hasPrefix("CREATE TABLE \"S") }
        #expect(tables.count == Self.setCount)
        #expect(Set(tables).count == Self.setCount)
        #expect(statements.count { $0.hasPrefix("-- Links of N.T") } == Self.setCount)
        #expect(statements.count { $0.contains("\"$queue\"") && $0.hasPrefix("CREATE TABLE") } == 1)

        // All in one database: nothing is missing, nothing is there twice.
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        for statement in statements { try connection.execute(statement) }
        #expect(try connection.tableNames().isSuperset(of: (0..<Self.setCount).map { "S\($0)" }))
    }
}
