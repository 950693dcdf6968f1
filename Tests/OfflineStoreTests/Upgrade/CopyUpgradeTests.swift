@testable import StoreRecords
@testable import StoreDownload
@testable import StoreUpgrade
import ODataSQLite
import ODataHTTP
import Testing

@testable import OfflineStore

/// Upgrades of stores with changes in conflict: base and server copies grow with their tables.
@Suite struct CopyUpgradeTests {
    /// Orders with a further property, and items with a further foreign key.
    private static let grown = Array(
        String(decoding: SeamModel.document, as: UTF8.self)
            .replacing(
                "<Property Name=\"Title\" Type=\"Edm.String\"/>",
                with:
                    "<Property Name=\"Title\" Type=\"Edm.String\"/><Property Name=\"More\" Type=\"Edm.String\"/>"
            )
            .replacing(
                "<Property Name=\"OrderID\" Type=\"Edm.Int32\"/>",
                with: """
                    <Property Name="OrderID" Type="Edm.Int32"/><Property Name="OtherID" Type="Edm.Int32"/>
                    <NavigationProperty Name="Other" Type="S.Order">
                      <ReferentialConstraint Property="OtherID" ReferencedProperty="ID"/></NavigationProperty>
                    """
            )
            .replacing(
                "<NavigationPropertyBinding Path=\"Order\" Target=\"Orders\"/>",
                with: """
                    <NavigationPropertyBinding Path="Order" Target="Orders"/>
                    <NavigationPropertyBinding Path="Other" Target="Orders"/>
                    """
            ).utf8
    )

    /// An order and an item, each changed here and by somebody else.
    private func inConflict() async throws -> SeamStore {
        let seam = try SeamStore()
        try seam.addQuery("Orders", url: "Orders")
        try seam.addQuery("Items", url: "Items")
        func page(_ etag: Int, _ text: String) -> [SeamPage] {
            let tag = "\"@odata.etag\":\"\(etag)\",\"ID\":1"
            return [
                seam.page("Orders", isDelta: false, "{\(tag),\"Title\":\"\(text)\"}"),
                seam.page("Items", isDelta: false, "{\(tag),\"Text\":\"\(text)\"}"),
            ]
        }
        try await seam.merge(page(1, "a"))
        for (url, body) in [("Orders(1)", #"{"Title":"mine"}"#), ("Items(1)", #"{"Text":"mine"}"#)]
        {
            let answer = await seam.respond("PATCH", url, body: body, ChangeOptions())
            try #require(answer.isSuccess)
        }
        try await seam.merge(page(2, "theirs"))
        return seam
    }

    private func text(_ seam: SeamStore, _ url: String) async throws -> String {
        String(decoding: await seam.respond("GET", url, body: nil, .init()).body, as: UTF8.self)
    }

    @Test func conflictsCanBeResolvedAfterwards() async throws {
        let seam = try await inConflict()
        try await seam.store.upgrade(to: Self.grown)
        try seam.edit { try $0.resolve("Orders(1)", with: .server) }
        try seam.edit { try $0.resolve("Items(1)", with: .local) }
        #expect(try await text(seam, "Orders(1)/Title/$value") == "theirs")
        #expect(try await text(seam, "Items(1)/Text/$value") == "mine")
    }

    /// Without the index each key that the service gives is looked for in all copies.
    @Test func indexesTheForeignKeysOfCopies() async throws {
        let seam = try await inConflict()
        try await seam.store.upgrade(to: Self.grown)
        let indexes = try seam.store.file.readBlocking { connection in
            var names: [String] = []
            try connection.forEachRow(
                "SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'index' AND \"name\" LIKE '%OtherID%'"
            ) { names.append($0.string(0)) }
            return names
        }
        #expect(indexes.count { $0.hasPrefix("$await:") } == 2, "\(indexes)")
    }
}
