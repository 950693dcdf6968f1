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

    /// The metadata do not say that the service wants one; it says so once.
    @Test(arguments: ["PUT", "DELETE"])
    func sendsOneFromTheFirstRefusalOn(_ method: String) async throws {
        let service = try RecordedService(metadata: Self.metadata(""))
        service.set(
            "GET People?$expand=Boss",
            RecordedService.json(
                #"{"value":[{"ID":1,"Boss":{"ID":2}},{"ID":2,"Boss":null},{"ID":3,"Boss":{"ID":2}}]}"#
            )
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["People?$expand=Boss"])
        let body = method == "PUT" ? #"{"@odata.id":"People(3)"}"# : ""
        for (id, answers) in [(1, [428, 204]), (3, [204])] {
            try await provider.send(method, "People(\(id))/Boss/$ref", body)
            service.set(
                "\(method) People(\(id))/Boss/$ref",
                answers.map { HTTPResponse(status: $0) }
            )
            try await provider.upload()
        }
        let sent = service.log.filter { $0.method == method }
        #expect(sent.map { $0.headers["If-Match"] } == [nil, "*", "*"])
        #expect(try await provider.errorArchive().isEmpty)
    }

    private static let v2 = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
         xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="M" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Boss" Relationship="M.PB" FromRole="Person" ToRole="Boss"/></EntityType>
        <Association Name="PB"><End Type="M.Person" Role="Person" Multiplicity="*"/>
        <End Type="M.Person" Role="Boss" Multiplicity="0..1"/></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="People" EntityType="M.Person"/>
        <AssociationSet Name="PB" Association="M.PB"><End Role="Person" EntitySet="People"/>
        <End Role="Boss" EntitySet="People"/></AssociationSet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Services of versions 1 to 3 get the ETag of the entity where the store knows it: some refuse the star.
    @Test func sendsTheETagOfTheEntityInOldVersions() async throws {
        let service = try RecordedService(metadata: Self.v2)
        let people = [(1, "W/\\\"a\\\""), (2, "")].map { id, etag in
            let tag = etag.isEmpty ? "" : ",\"etag\":\"\(etag)\""
            return
                "{\"__metadata\":{\"uri\":\"\(service.root)People(\(id))\"\(tag)},\"ID\":\(id),\"Boss\":null}"
        }
        let page = "{\"d\":{\"results\":[\(people.joined(separator: ","))]}}"
        service.set("GET People?$expand=Boss", RecordedService.json(page))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["People?$expand=Boss"])
        for id in 1...2 {
            try await provider.send("PUT", "People(\(id))/$links/Boss", #"{"uri":"People(2)"}"#)
            service.set(
                "PUT People(\(id))/$links/Boss",
                (id == 1 ? [428, 204] : [204]).map { HTTPResponse(status: $0) }
            )
            try await provider.upload()
        }
        let sent = service.log.filter { $0.method == "PUT" }
        #expect(sent.map { $0.headers["If-Match"] } == [nil, "W/\"a\"", "*"])
        #expect(try await provider.errorArchive().isEmpty)
        #expect(try await provider.requestQueueIsEmpty())
    }
}
