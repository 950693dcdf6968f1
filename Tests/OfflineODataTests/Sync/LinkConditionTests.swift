import ODataHTTP
import OfflineOData
import Testing

/// Changes of links where the set wants a precondition (OData 4.01 Part 1 § 11.4.1.1): the store knows no ETag of a link.
@Suite struct LinkConditionTests {
    private static func metadata(_ annotation: String) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><NavigationProperty Name="Boss" Type="M.Person"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="People" EntityType="M.Person">
        <NavigationPropertyBinding Path="Boss" Target="People"/>\(annotation)</EntitySet></EntityContainer></Schema>
        </edmx:DataServices></edmx:Edmx>
        """
    }

    private static let wanted =
        #"<Annotation Term="Org.OData.Core.V1.OptimisticConcurrency"><Collection/></Annotation>"#

    @Test(arguments: [(wanted, "*"), ("", nil)])
    func sendsOneWhereItIsWanted(_ annotation: String, _ condition: String?) async throws {
        let service = try RecordedService(metadata: Self.metadata(annotation))
        service.set("GET People", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["People"])
        let request = HTTPRequest(
            method: "PUT",
            url: "People(1)/Boss/$ref",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"@odata.id":"People(2)"}"#.utf8)
        )
        try #require(await provider.respond(to: request).isSuccess)
        service.set("PUT People(1)/Boss/$ref", HTTPResponse(status: 204))
        try await provider.upload()
        let sent = service.log.filter { $0.method == "PUT" }
        #expect(sent.map { $0.headers["If-Match"] } == [condition])
        #expect(try await provider.requestQueue().isEmpty)
    }
}
