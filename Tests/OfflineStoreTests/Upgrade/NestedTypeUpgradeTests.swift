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

/// Which queries are read in full after an upgrade: those whose entities hold a type that has grown, however deep it stands.
@Suite struct NestedTypeUpgradeTests {
    /// A place whose address holds a point, that holds a unit; a set of another type beside it.
    private static func document(_ grown: String) -> [UInt8] {
        func more(_ type: String) -> String {
            type == grown ? "<Property Name=\"More\" Type=\"Edm.String\"/>" : ""
        }
        return Array(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EnumType Name="Unit"><Member Name="m" Value="0"/>\(
                grown == "Unit" ? "<Member Name=\"km\" Value=\"1\"/>" : "")</EnumType>
            <ComplexType Name="Point"><Property Name="X" Type="Edm.Int32"/>
              <Property Name="In" Type="S.Unit"/>\(more("Point"))</ComplexType>
            <ComplexType Name="Far" BaseType="S.Point"><Property Name="Z" Type="Edm.Int32"/>\(more("Far"))</ComplexType>
            <ComplexType Name="Address"><Property Name="At" Type="S.Point"/>\(more("Address"))</ComplexType>
            <EntityType Name="Base"><Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
              <Property Name="Home" Type="S.Address"/>\(more("Base"))</EntityType>
            <EntityType Name="Place" BaseType="S.Base">\(more("Place"))</EntityType>
            <EntityType Name="Other"><Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(more("Other"))</EntityType>
            <EntityContainer Name="C"><EntitySet Name="Places" EntityType="S.Place"/>
            <EntitySet Name="Others" EntityType="S.Other"/></EntityContainer></Schema>
            </edmx:DataServices></edmx:Edmx>
            """.utf8
        )
    }

    @Test(arguments: [
        ("Unit", ["Places"]), ("Point", ["Places"]), ("Far", ["Places"]), ("Address", ["Places"]),
        ("Base", ["Places"]), ("Place", ["Places"]), ("Other", ["Others"]),
    ])
    func readsInFullWhatHasGrown(_ grown: String, _ expected: [String]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try LocalStore(path: folder.appending(path: "store").path(), isCreating: true)
        let read = try store.file.writeBlocking { connection -> [String] in
            try SchemaUpgrade(connection).run(Self.document(""))
            let queries = DefiningQueries(connection)
            for name in ["Places", "Others"] {
                try queries.add(name: name, url: name, retrievesStreams: false)
                try queries.finish(name, deltaLink: "d")
            }
            try SchemaUpgrade(connection).run(Self.document(grown))
            return try queries.all().filter(\.needsFullRead).map(\.name)
        }
        #expect(read == expected)
    }
}
