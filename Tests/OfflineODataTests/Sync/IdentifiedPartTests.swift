import ODataHTTP
import OfflineOData
import Testing

/// A contained entity without a known key is missing, by that key, in what the service sends: that says nothing of a deletion.
@Suite struct IdentifiedPartTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <NavigationProperty Name="Notes" Type="Collection(S.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// The service writes texts in capitals, so that the note is not known by its values; its deletion waits.
    private func deleted() async throws -> (RecordedService, OfflineODataProvider, String) {
        let service = try RecordedService(metadata: Self.model)
        service.set(
            "GET Orders?$expand=Notes",
            RecordedService.json(#"{"value":[{"ID":1,"Notes":[]}],"@odata.deltaLink":"d1"}"#)
        )
        let provider = try await service.opened(["Orders?$expand=Notes"])
        try await provider.send(
            "POST",
            "Orders",
            #"{"Title":"a","Notes":[{"Text":"first"},{"Text":"second"}]}"#
        )
        service.set(
            "POST $batch",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(
                    "--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n{\"ID\":5,\"Title\":\"a\"}\r\n--r--"
                        .utf8
                )
            ),
            HTTPResponse(status: 404)
        )
        try await provider.upload()
        let note = try #require(
            try await provider.executeQuery("Orders(5)/Notes?$filter=Text eq 'first'").first?
                .readLink
        )
        try await provider.send("DELETE", note)
        let orders = RecordedService.json(
            #"""
            {"value":[{"ID":1,"Notes":[]},{"ID":5,"Title":"a","Notes":[{"@odata.etag":"\"3\"","ID":1,"Text":"FIRST"},
                {"@odata.etag":"\"4\"","ID":2,"Text":"SECOND"}]}],"@odata.deltaLink":"d2"}
            """#
        )
        service.set(
            "GET d1",
            RecordedService.json(
                #"""
                {"@odata.context":"$metadata#Orders/$delta","value":[{"ID":5,"Title":"a","Notes":[
                    {"@odata.etag":"\"3\"","ID":1,"Text":"FIRST"},
                    {"@odata.etag":"\"4\"","ID":2,"Text":"SECOND"}]}],"@odata.deltaLink":"d2"}
                """#
            )
        )
        // It is read in full, too, to find by their values what was created without an answer of their keys.
        service.set("GET Orders?$expand=Notes", orders)
        try await provider.download()
        return (service, provider, note)
    }

    @Test func isThereOnceItIsNamed() async throws {
        let (service, provider, note) = try await deleted()
        try await provider.upload()
        #expect(try await provider.requestQueue().map(\.status) == [.parked])
        try await provider.identifyEntity(note, as: "Orders(5)/Notes(1)")
        service.set(
            "GET Orders(5)/Notes(1)",
            RecordedService.json(#"{"@odata.etag":"\"3\"","ID":1,"Text":"FIRST"}"#)
        )
        service.set("DELETE Orders(5)/Notes(1)", HTTPResponse(status: 204))
        try await provider.upload()
        let conflict = try await provider.conflict(for: "Orders(5)/Notes(1)")
        #expect(!conflict.isDeletedAtService)
        try await provider.resolveConflict("Orders(5)/Notes(1)", with: .local)
        try await provider.upload()
        #expect(service.requests.last == "DELETE Orders(5)/Notes(1)")
        #expect(try await provider.requestQueue().isEmpty)
        #expect(try await provider.errorArchive().isEmpty)
    }
}
