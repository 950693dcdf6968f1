import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import Testing

@testable import StoreRecords
@testable import StoreDownload
@testable import StoreUpgrade
@testable import OfflineStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The store's own sets give way where the service has a set, or a namespace, of the same name.
@Suite struct TakenNameUpgradeTests {
    private static let all = ["RequestQueue", "ErrorArchive", "EventLog"]

    private static func document(_ sets: [String], namespace: String = "S") -> [UInt8] {
        let elements = sets.map {
            "<EntitySet Name=\"\($0)\" EntityType=\"\(namespace).LogEvent\"/>"
        }
        return Array(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="\(namespace)" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="LogEvent"><Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
              <Property Name="Type" Type="Edm.Int32"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Plain" EntityType="\(namespace).LogEvent"/>
            \(elements.joined())</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """.utf8
        )
    }

    /// Takes over documents one after the other, with a table for each set of the service; answers what is wrong, and our sets.
    private func run(_ documents: [[UInt8]], sets: [String]) throws -> (
        foreign: [String], own: [String]
    ) {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try LocalStore(path: folder.appending(path: "store").path(), isCreating: true)
        return try store.file.writeBlocking { connection in
            for document in documents { try SchemaUpgrade(connection).run(document) }
            let schema = try #require(try StoreSchema.load(connection))
            for set in sets {
                let source = try #require(schema.model.navigationSource(named: set))
                let table = try TableCatalog(connection, layout: schema.layout).ensureTable(source)
                try connection.execute("INSERT INTO \(table.sql) (\"ID\", \"Type\") VALUES (1, 2)")
            }
            return (
                try ForeignObjects.find(connection, layout: schema.layout),
                BuiltInSets.names(in: schema.model)
            )
        }
    }

    @Test(arguments: all.map { [$0] } + [all])
    func letsAServiceHaveTheNamesFromTheStart(_ sets: [String]) throws {
        let result = try run([Self.document(sets)], sets: sets)
        #expect(result.foreign.isEmpty)
        #expect(result.own == Self.all.filter { !sets.contains($0) })
    }

    @Test(arguments: all.map { [$0] } + [all])
    func letsAServiceTakeTheNamesLater(_ sets: [String]) throws {
        let result = try run([Self.document([]), Self.document(sets)], sets: sets)
        #expect(result.foreign.isEmpty)
        #expect(result.own == Self.all.filter { !sets.contains($0) })
    }

    @Test func letsAServiceHaveTheNamespace() throws {
        let sets = ["EventLog"]
        let result = try run([Self.document(sets, namespace: "OfflineOData")], sets: sets)
        #expect(result.foreign.isEmpty)
        #expect(result.own == ["RequestQueue", "ErrorArchive"])
    }
}
