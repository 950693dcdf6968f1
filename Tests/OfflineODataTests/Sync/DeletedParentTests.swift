import ODataHTTP
import OfflineOData
import Testing

/// What a delta says of contained entities while the deletion of their parent waits here.
@Suite struct DeletedParentTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Pass" Type="N.Note" ContainsTarget="true"/>
        <NavigationProperty Name="Notes" Type="Collection(N.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="N.Person"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func texts(_ provider: OfflineODataProvider, _ url: String) async throws
        -> [String]
    {
        try await provider.executeQuery(url).compactMap { $0["Text"]?.stringValue }.sorted()
    }

    @Test(arguments: [
        (#""Notes@delta":[{"@removed":{"reason":"deleted"},"@id":"(2)"}]"#, ["one"], ["pass"]),
        (
            #""Notes@delta":[{"@removed":{"reason":"deleted"},"@id":"People(1)/Notes(2)"}]"#,
            ["one"], ["pass"]
        ),
        (#""Notes":[{"ID":2,"Text":"new"}]"#, ["new"], ["pass"]),
        (#""Notes@delta":[{"ID":3,"Text":"new"}]"#, ["new", "one", "two"], ["pass"]),
        (#""Pass":null"#, ["one", "two"], []),
        (#""Pass":{"ID":9,"Text":"other"}"#, ["one", "two"], ["other"]),
    ])
    func comesBackAsTheServiceHasIt(_ change: String, _ notes: [String], _ pass: [String])
        async throws
    {
        let query = "People?$expand=Notes,Pass"
        let service = try RecordedService(metadata: Self.metadata)
        let person =
            #"{"ID":1,"Notes":[{"ID":1,"Text":"one"},{"ID":2,"Text":"two"}],"Pass":{"ID":9,"Text":"pass"}}"#
        let link = #""@odata.deltaLink":"People?d=1""#
        service.set("GET \(query)", RecordedService.json("{\"value\":[\(person)],\(link)}"))
        service.set(
            "GET People?d=1",
            RecordedService.json(
                "{\"@context\":\"$metadata#People/$delta\",\"value\":[{\"ID\":1,\(change)}],\(link)}"
            )
        )
        let provider = try await service.opened([query])
        let response = await provider.respond(to: HTTPRequest(method: "DELETE", url: "People(1)"))
        #expect(response.status == 204)

        try await provider.download()
        let waiting = try await provider.requestQueue()
        #expect(waiting.count == 1)
        for request in waiting { _ = try await provider.dropRequest(request.id) }

        #expect(try await Self.texts(provider, "People(1)/Notes") == notes)
        #expect(try await Self.texts(provider, "People(1)/Pass") == pass)
    }

    /// A contained entity is gone with its link, which is an entry of its own in version 4.0 (OData JSON 4.0 § 15.5).
    @Test(arguments: [("Notes", "People(1)/Notes(2)"), ("Pass", "People(1)/Pass")], [true, false])
    func losesWhatIsLinkedNoMore(_ link: (String, String), _ isDeletedHere: Bool) async throws {
        let query = "People?$expand=Notes,Pass"
        let service = try RecordedService(metadata: Self.metadata)
        let person =
            #"{"ID":1,"Notes":[{"ID":1,"Text":"one"},{"ID":2,"Text":"two"}],"Pass":{"ID":9,"Text":"pass"}}"#
        let delta = #""@odata.deltaLink":"People?d=1""#
        let entry =
            ##"{"@odata.context":"$metadata#People/$deletedLink","source":"People(1)","##
            + #""relationship":"\#(link.0)","target":"\#(link.1)"}"#
        service.set("GET \(query)", RecordedService.json("{\"value\":[\(person)],\(delta)}"))
        service.set("GET People?d=1", RecordedService.json("{\"value\":[\(entry)],\(delta)}"))
        let provider = try await service.opened([query])
        if isDeletedHere {
            _ = await provider.respond(to: HTTPRequest(method: "DELETE", url: "People(1)"))
        }

        try await provider.download()
        for request in try await provider.requestQueue() {
            _ = try await provider.dropRequest(request.id)
        }

        let notes = link.0 == "Notes" ? ["one"] : ["one", "two"]
        #expect(try await Self.texts(provider, "People(1)/Notes") == notes)
        #expect(
            try await Self.texts(provider, "People(1)/Pass") == (link.0 == "Pass" ? [] : ["pass"])
        )
    }
}
