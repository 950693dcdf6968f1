import ODataModel
import ODataSQLite
import ODataTables
import Testing

@testable import OfflineStore
@testable import StoreDownload
@testable import StoreUpgrade
@testable import StoreRecords

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The compiled model in a file goes with its metadata document, which counts where the two part.
@Suite struct CompiledModelFileTests {
    private static func document(_ property: String) -> [UInt8] {
        Array(
            """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Place"><Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(property)</EntityType>
            <EntityContainer Name="C"><EntitySet Name="Places" EntityType="S.Place"/></EntityContainer></Schema>
            </edmx:DataServices></edmx:Edmx>
            """.utf8
        )
    }

    private static let grown = document("<Property Name=\"More\" Type=\"Edm.String\"/>")

    /// What a store opened anew finds.
    private struct Found: Equatable {
        var properties: [String]
        var document: [UInt8]
        var sets: Int
    }

    /// Makes a store, changes its file by a statement, and opens it again.
    private func found(changing sql: String = "SELECT 1", upgraded: Bool = true) throws -> Found {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "offline-odata-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "store").path()
        try LocalStore(path: path, isCreating: true).file.writeBlocking { connection in
            try SchemaUpgrade(connection).run(Self.document(""))
            if upgraded { try SchemaUpgrade(connection).run(Self.grown) }
            try connection.execute(sql)
        }
        let store = try LocalStore(path: path, isCreating: false)
        return try store.file.writeBlocking { connection in
            let schema = try store.schema(connection)
            let type = try #require(schema.model.structuredType(named: "S.Place"))
            return Found(
                properties: schema.model.properties(of: type).map(\.name),
                document: try schema.document(connection),
                sets: schema.model.container.entitySets.count
            )
        }
    }

    @Test func isThatOfTheNewestDocument() throws {
        #expect(try found(upgraded: false).properties == ["ID"])
        let grown = try found()
        #expect(grown.properties == ["ID", "More"])
        #expect(grown.document == Self.grown)
    }

    @Test(arguments: [
        #"DELETE FROM "$model""#, #"UPDATE "$model" SET "bytes" = x''"#,
        #"UPDATE "$model" SET "bytes" = substr("bytes", 1, length("bytes") - 1)"#,
        #"UPDATE "$model" SET "bytes" = CAST('EDM2' AS BLOB) || substr("bytes", 5)"#,
        #"UPDATE "$model" SET "bytes" = 'text'"#,
    ])
    func readsTheDocumentWhereItCannotBeRead(_ sql: String) throws {
        #expect(try found(changing: sql) == found())
    }

    /// Else the test above would pass without a compiled form.
    @Test func isReadInThePlaceOfTheDocument() throws {
        let broken = try found(changing: #"UPDATE "$metadata" SET "document" = x'3C'"#)
        #expect(broken.properties == ["ID", "More"])
        #expect(broken.document == [0x3C])
        // The built-in sets come once.
        #expect(try broken.sets == found(changing: #"DELETE FROM "$model""#).sets)
    }
}
