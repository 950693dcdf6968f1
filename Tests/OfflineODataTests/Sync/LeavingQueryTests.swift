import OfflineOData
import ODataHTTP
import Testing

/// Entities that leave the result of one query and stay in that of another (OData 4.01 Part 1 § 11.3: reason `changed`).
@Suite struct LeavingQueryTests {
    private static let left = #"{"@removed":{"reason":"changed"},"@id":"Orders(1)"}"#
    private static let lines = #""Lines":[{"No":1,"Text":"x"}]"#
    private static let low = "Orders?$filter=Price%20lt%202&$expand=Lines"
    private static let high = "Orders?$filter=Price%20ge%202&$expand=Lines"

    private static func page(_ entities: String, delta: String) -> HTTPResponse {
        RecordedService.json("{\"value\":[\(entities)],\"@odata.deltaLink\":\"\(delta)\"}")
    }

    /// An order that moves from one filter to another keeps what it contains, whichever query comes first.
    @Test(arguments: [[low, high], [high, low], ["Orders?$expand=Lines", high]])
    func keepsWhatTheEntityContains(_ queries: [String]) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        let before = #"{"ID":1,"Price":5,"# + Self.lines + "}"
        let after = #"{"ID":1,"Price":1,"# + Self.lines + "}"
        for query in queries {
            let name = query == Self.high ? "high" : "other"
            service.set("GET \(query)", Self.page(query == Self.low ? "" : before, delta: name))
            service.set(
                "GET \(name)",
                Self.page(query == Self.high ? Self.left : after, delta: name)
            )
        }
        let provider = try await service.opened(queries)
        try await provider.download()
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(order["Price"] == .integer(1))
        let lines = try await provider.executeQuery("Orders(1)/Lines")
        #expect(lines.map { $0["Text"] } == [.string("x")])
    }

    /// What no query brings any more stays unknown, also when the change that was made before is taken back.
    @Test(arguments: [true, false])
    func bringsNoFormerValuesBackWithTheChange(_ isUpdate: Bool) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        let (named, dear) = ("Orders?$select=ID,Title", "Orders?$filter=Price%20ge%202")
        let etag = { (version: Int) in #""@odata.etag":"W/\"\#(version)\"""# }
        service.set("GET \(named)", Self.page("{\(etag(1)),\"ID\":1,\"Title\":\"a\"}", delta: "n1"))
        service.set(
            "GET \(dear)",
            Self.page("{\(etag(1)),\"ID\":1,\"Title\":\"a\",\"Price\":5}", delta: "d1")
        )
        service.set("GET n1", Self.page("{\(etag(2)),\"ID\":1,\"Title\":\"new\"}", delta: "n1"))
        service.set("GET d1", Self.page(Self.left, delta: "d1"))
        let provider = try await service.opened([named, dear])
        try await provider.send(
            isUpdate ? "PATCH" : "DELETE",
            "Orders(1)",
            isUpdate ? #"{"Price":6}"# : ""
        )
        try await provider.download()
        try await provider.undoPendingChanges("Orders(1)")
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        #expect(order["Title"] == .string("new"))
        #expect(order["Price"] == nil)
        // Where it is not known which version the parts are of, the next update reads the ETag.
        #expect(order.etag != #"W/"1""#)
    }

    private static let peers = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Val" Type="Edm.Int32"/>
        <NavigationProperty Name="Peers" Type="Collection(N.A)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A">
        <NavigationPropertyBinding Path="Peers" Target="As"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// What leaves the filter of a query and is brought by its expand stays, in whatever order the delta says so.
    @Test(arguments: [
        (#"{"ID":1,"Val":5,"Peers":[{"ID":2,"Val":0}]}"#, false),
        (#"{"ID":1,"Val":5,"Peers":[{"ID":2,"Val":0}]}"#, true),
        (#"{"ID":1,"Peers@delta":[{"ID":2,"Val":0}]}"#, false),
        (#"{"ID":1,"Peers@delta":[{"ID":2,"Val":0}]}"#, true),
    ])
    func keepsWhatAnExpandBrings(_ change: String, _ isLast: Bool) async throws {
        let service = try RecordedService(metadata: Self.peers)
        let query = "As?$filter=Val%20gt%201&$expand=Peers"
        service.set(
            "GET \(query)",
            Self.page(#"{"ID":1,"Val":5,"Peers":[]},{"ID":2,"Val":5,"Peers":[]}"#, delta: "d")
        )
        let removed = #"{"@removed":{"reason":"changed"},"@id":"As(2)"}"#
        let entries = isLast ? [change, removed] : [removed, change]
        service.set("GET d", Self.page(entries.joined(separator: ","), delta: "d2"))
        service.set("GET d2", Self.page("", delta: "d2"))
        let provider = try await service.opened([query])
        for _ in 1...2 {
            try await provider.download()
            let peers = try await provider.executeQuery("As(1)/Peers")
            #expect(peers.map { $0["Val"] } == [.integer(0)])
        }
    }

    /// Two entities that lead to each other and have both left are gone.
    @Test func removesWhatOnlyLeavingEntitiesLeadTo() async throws {
        let service = try RecordedService(metadata: Self.peers)
        let query = "As?$filter=Val%20gt%201&$expand=Peers"
        let (two, three) = (
            #"{"ID":2,"Val":5,"Peers":[{"ID":3,"Val":5}]}"#,
            #"{"ID":3,"Val":5,"Peers":[{"ID":2,"Val":5}]}"#
        )
        service.set("GET \(query)", Self.page(two + "," + three, delta: "d"))
        let removed = [2, 3].map { "{\"@removed\":{\"reason\":\"changed\"},\"@id\":\"As(\($0))\"}" }
        service.set("GET d", Self.page(removed.joined(separator: ","), delta: "d2"))
        let provider = try await service.opened([query])
        try await provider.download()
        #expect(try await provider.executeQuery("As").isEmpty)
    }

    /// The service has deleted an entity to which a request refers: a full read of the whole set says the same as a delta.
    @Test(arguments: [true, false])
    func removesWhatARequestRefersTo(_ isDelta: Bool) async throws {
        let service = try RecordedService(metadata: Self.peers)
        let all = #"{"ID":1,"Val":1},{"ID":2,"Val":2}"#
        service.set("GET As", Self.page(all, delta: "d"))
        let provider = try await service.opened(["As"])
        var one = try #require(try await provider.executeQuery("As(1)").first)
        one["Val"] = 7
        try await provider.updateEntity(one)
        let two = try #require(try await provider.executeQuery("As(2)").first)
        try await provider.createLink(from: one, property: "Peers", to: two)
        let removed = #"{"@removed":{"reason":"deleted"},"@id":"As(2)"}"#
        service.set("GET d", isDelta ? Self.page(removed, delta: "d2") : HTTPResponse(status: 410))
        service.set("GET As", Self.page(#"{"ID":1,"Val":1}"#, delta: "d2"))
        try await provider.download()
        let found = try await provider.executeQuery("As")
        #expect(found.map { $0["ID"] } == [.integer(1)])
        #expect(try await provider.requestQueue().count == 2)
    }
}
