import ODataHTTP
import OfflineOData
import Testing

/// Entities that somebody else has deleted are created anew with all that they have contained.
@Suite struct RecreatedContentsTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Items" Type="Collection(N.Item)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="Nr"/></Key>
        <Property Name="Nr" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <Property Name="Pic" Type="Edm.Stream"/>
        <NavigationProperty Name="Subs" Type="Collection(N.Sub)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Sub"><Key><PropertyRef Name="Nr"/></Key>
        <Property Name="Nr" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="N.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let query = "Orders?$expand=Items($expand=Subs)"
    private static let item = #"{"Nr":1,"Text":"i","Subs":[{"Nr":1,"Text":"s"}]}"#

    /// A store with changes on all levels of an order that the service has deleted.
    private func deleted() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.model)
        service.set(
            "GET " + Self.query,
            RecordedService.json(#"{"value":[{"ID":1,"Name":"o","Items":[\#(Self.item)]}]}"#)
        )
        let provider = try await service.opened([Self.query])
        try await provider.send("POST", "Orders(1)/Items(1)/Subs", #"{"Nr":9,"Text":"new"}"#)
        try await provider.send("PATCH", "Orders(1)/Items(1)/Subs(1)", #"{"Text":"mine"}"#)
        try await provider.send("PATCH", "Orders(1)", #"{"Name":"mine"}"#)
        try await provider.send("POST", "Orders(1)/Items", #"{"Nr":5,"Text":"i5"}"#)
        // Every request meets a 404: the order is gone.
        #expect(try await provider.upload().failedCount == 4)
        service.clearLog()
        return (service, provider)
    }

    @Test func sendsThemInlineAndTheirChangesAfterwards() async throws {
        let (service, provider) = try await deleted()
        try await provider.resolveConflict("Orders(1)", with: .local)
        let created = #"{"ID":1,"Name":"mine","Items":[\#(Self.item)]}"#
        service.set("POST Orders", RecordedService.json(created, status: 201))
        service.set(
            "GET Orders(1)/Items(1)/Subs(1)",
            RecordedService.json(#"{"Nr":1,"Text":"s"}"#)
        )
        service.set(
            "POST Orders(1)/Items(1)/Subs",
            RecordedService.json(#"{"Nr":9,"Text":"new"}"#, status: 201)
        )
        service.set("PATCH Orders(1)/Items(1)/Subs(1)", HTTPResponse(status: 204))
        service.set(
            "POST Orders(1)/Items",
            RecordedService.json(#"{"Nr":5,"Text":"i5"}"#, status: 201)
        )
        #expect(try await provider.upload().succeededCount == 4)
        #expect(service.bodies(of: "POST Orders") == [created])
        let sent = service.requests.filter { !$0.hasPrefix("GET") && !$0.contains("$batch") }
        #expect(sent.first == "POST Orders" && sent.count == 4)
        let read = await provider.respond(to: HTTPRequest(method: "GET", url: Self.query))
        let text = String(decoding: read.body, as: UTF8.self)
        for part in [#""Name":"mine""#, #""Text":"new""#, #""Text":"mine""#, #""Text":"i5""#] {
            #expect(text.contains(part), "\(text)")
        }
    }

    /// What the service has said of a stream ends with the stream.
    @Test func forgetsTheStreamsOfWhatIsGone() async throws {
        let service = try RecordedService(metadata: Self.model)
        let item = #"{"Pic@odata.mediaEtag":"\"m1\"","Nr":1,"Text":"i","Subs":[]}"#
        service.set(
            "GET " + Self.query,
            RecordedService.json(#"{"value":[{"ID":1,"Name":"o","Items":[\#(item)]}]}"#)
        )
        let provider = try await service.opened([Self.query])
        let read = HTTPRequest(method: "GET", url: "Orders(1)/Items(1)")
        let before = await provider.respond(to: read)
        #expect(String(decoding: before.body, as: UTF8.self).contains("m1"))
        try await provider.send("PATCH", "Orders(1)", #"{"Name":"mine"}"#)
        #expect(try await provider.upload().failedCount == 1)

        try await provider.resolveConflict("Orders(1)", with: .local)

        let text = String(decoding: await provider.respond(to: read).body, as: UTF8.self)
        #expect(text.contains(#""Text":"i""#) && !text.contains("m1"), "\(text)")
    }

    @Test func namesTheEntityThatHasToBeResolvedFirst() async throws {
        let (_, provider) = try await deleted()
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.resolveConflict("Orders(1)/Items(1)/Subs(1)", with: .local)
        }
        #expect(error?.message.contains("resolve the conflict of Orders(1)") == true)
    }
}
