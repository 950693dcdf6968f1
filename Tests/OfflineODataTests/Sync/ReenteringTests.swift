import OfflineOData
import ODataHTTP
import Testing

/// What an entity leads to that comes back to the result of a query, or that nobody keeps any more.
@Suite struct ReenteringTests {
    private static let tags = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Val" Type="Edm.Int32"/>
        <NavigationProperty Name="Tags" Type="Collection(N.T)"/></EntityType>
        <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Notes" Type="Collection(N.T)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A">
        <NavigationPropertyBinding Path="Tags" Target="Ts"/></EntitySet>
        <EntitySet Name="Ts" EntityType="N.T"><NavigationPropertyBinding Path="Notes" Target="Ts"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func page(_ entities: String, delta: String) -> HTTPResponse {
        RecordedService.json("{\"value\":[\(entities)],\"@odata.deltaLink\":\"\(delta)\"}")
    }

    /// A delta need not say which links an entity has lost while the query did not hold it.
    @Test(arguments: [
        (#"{"ID":1,"Val":6}"#, 1), (#"{"ID":1,"Val":6,"Tags":[]}"#, 0),
    ])
    func readsTheLinksOfWhatComesBack(_ change: String, _ fullReads: Int) async throws {
        let service = try RecordedService(metadata: Self.tags)
        let query = "As?$filter=Val%20gt%201&$expand=Tags"
        service.set("GET As", Self.page(#"{"ID":1,"Val":5}"#, delta: "a1"))
        service.set("GET Ts", Self.page(#"{"ID":1}"#, delta: "t1"))
        service.set("GET t1", Self.page("", delta: "t1"))
        service.set("GET \(query)", Self.page(#"{"ID":1,"Val":5,"Tags":[{"ID":1}]}"#, delta: "q1"))
        service.set("GET a1", Self.page(#"{"ID":1,"Val":0}"#, delta: "a2"))
        let left = #"{"@removed":{"reason":"changed"},"@id":"As(1)"}"#
        service.set("GET q1", Self.page(left, delta: "q2"))
        service.set("GET a2", Self.page(#"{"ID":1,"Val":6}"#, delta: "a3"))
        service.set("GET q2", Self.page(change, delta: "q3"))
        let provider = try await service.opened(["As", "Ts", query])
        try await provider.download()
        service.set("GET \(query)", Self.page(#"{"ID":1,"Val":6,"Tags":[]}"#, delta: "q4"))
        try await provider.download()
        #expect(try await provider.executeQuery("As(1)/Tags").isEmpty)
        #expect(service.requests.filter { $0 == "GET \(query)" }.count == 1 + fullReads)
    }

    /// The service has deleted an entity that is changed here; once the change is taken back, nothing leads to its tags.
    @Test(arguments: ["discard", "undo", "accept"])
    func releasesWhatADeletedEntityLedTo(_ way: String) async throws {
        let service = try RecordedService(metadata: Self.tags)
        let query = "As?$expand=Tags"
        service.set("GET \(query)", Self.page(#"{"ID":1,"Val":5,"Tags":[{"ID":1}]}"#, delta: "q1"))
        let provider = try await service.opened([query])
        try await provider.send("PATCH", "As(1)", #"{"Val":7}"#)
        let gone = #"{"@removed":{"reason":"deleted"},"@id":"As(1)"}"#
        service.set("GET q1", Self.page(gone, delta: "q2"))
        service.set("GET q2", Self.page("", delta: "q2"))
        try await provider.download()
        #expect(try await provider.executeQuery("Ts").count == 1)
        switch way {
        case "undo": try await provider.undoPendingChanges("As(1)")
        case "accept": try await provider.resolveConflict("As(1)", with: .server)
        default:
            service.set("PATCH As(1)", HTTPResponse(status: 404))
            try await provider.upload()
            let id = try #require(try await provider.errorArchive().first?.id)
            try await provider.discardError(id)
        }
        try await provider.download()
        #expect(try await provider.executeQuery("As").isEmpty)
        #expect(try await provider.executeQuery("Ts").isEmpty)
    }
}
