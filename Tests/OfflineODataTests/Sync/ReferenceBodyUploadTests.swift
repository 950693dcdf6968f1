import ODataHTTP
import OfflineOData
import Testing

/// Local changes whose bodies name other entities: what the store shows, and what goes to the service.
@Suite struct ReferenceBodyUploadTests {
    private static let v4 = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <Property Name="CustID" Type="Edm.Int32"/>
        <NavigationProperty Name="Cust" Type="S.Cust">
        <ReferentialConstraint Property="CustID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Tags" Type="Collection(S.Tag)"/></EntityType>
        <EntityType Name="Cust"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Baskets" Type="Collection(S.Order)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Tag"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Cust" Target="Custs"/><NavigationPropertyBinding Path="Tags" Target="Tags"/>
        </EntitySet><EntitySet Name="Custs" EntityType="S.Cust">
        <NavigationPropertyBinding Path="Baskets/Tags" Target="Tags"/></EntitySet><EntitySet Name="Tags" EntityType="S.Tag"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let v2 = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
         xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <NavigationProperty Name="Cust" Relationship="S.OC" FromRole="Order" ToRole="Cust"/>
        <NavigationProperty Name="Tags" Relationship="S.OT" FromRole="Order" ToRole="Tag"/></EntityType>
        <EntityType Name="Cust"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Tag"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <Association Name="OC"><End Type="S.Order" Role="Order" Multiplicity="*"/>
        <End Type="S.Cust" Role="Cust" Multiplicity="0..1"/></Association>
        <Association Name="OT"><End Type="S.Order" Role="Order" Multiplicity="*"/>
        <End Type="S.Tag" Role="Tag" Multiplicity="*"/></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Orders" EntityType="S.Order"/><EntitySet Name="Custs" EntityType="S.Cust"/>
        <EntitySet Name="Tags" EntityType="S.Tag"/>
        <AssociationSet Name="OC" Association="S.OC"><End Role="Order" EntitySet="Orders"/>
        <End Role="Cust" EntitySet="Custs"/></AssociationSet>
        <AssociationSet Name="OT" Association="S.OT"><End Role="Order" EntitySet="Orders"/>
        <End Role="Tag" EntitySet="Tags"/></AssociationSet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened(isV4: Bool) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: isV4 ? Self.v4 : Self.v2)
        let orders = "Orders?$expand=Cust,Tags"
        let order =
            isV4
            ? #"{"ID":1,"Title":"t","CustID":1,"Cust":{"ID":1},"Tags":[{"ID":1},{"ID":2}]},{"ID":2,"CustID":9,"Cust":null,"Tags":[]}"#
            : #"{"ID":1,"Title":"t","Cust":{"ID":1},"Tags":{"results":[{"ID":1},{"ID":2}]}}"#
        for (query, items) in [
            (orders, order), ("Custs", #"{"ID":1},{"ID":2}"#),
            ("Tags", #"{"ID":1},{"ID":2},{"ID":3}"#),
        ] {
            let body = isV4 ? "{\"value\":[\(items)]}" : "{\"d\":{\"results\":[\(items)]}}"
            service.set("GET \(query)", RecordedService.json(body))
        }
        let provider = try await service.opened([orders, "Custs", "Tags"])
        service.set("POST $batch", HTTPResponse(status: 404))
        service.clearLog()
        return (service, provider)
    }

    /// The customer and the tags that the store shows of an order.
    private func links(_ provider: OfflineODataProvider, _ order: Int = 1) async throws -> String {
        let cust = try? await provider.executeQuery("Orders(\(order))/Cust").first
        let tags = try await provider.executeQuery("Orders(\(order))/Tags?$orderby=ID")
        let ids = tags.compactMap { $0["ID"]?.integerValue?.description }.joined(separator: ",")
        return "\(cust?["ID"]?.integerValue?.description ?? "-") \(ids)"
    }

    /// Sends a PATCH to the store; then the queued requests in their order.
    private func patch(
        _ service: RecordedService,
        _ provider: OfflineODataProvider,
        _ body: String,
        order: Int = 1,
        expected: [String] = []
    ) async throws -> (status: Int, sent: [String]) {
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "PATCH",
                url: "Orders(\(order))",
                headers: ["Content-Type": "application/json"],
                body: Array(body.utf8)
            )
        )
        for line in expected {
            let target = line.split(separator: " ").prefix(2).joined(separator: " ")
            let url = target.replacing("~/", with: service.root)
            service.set(url, HTTPResponse(status: 204))
        }
        try await provider.upload()
        #expect(try await provider.errorArchive().isEmpty)
        let sent = service.log.filter { $0.method != "GET" && !$0.url.hasSuffix("$batch") }.map {
            "\($0.method) \($0.url.dropFirst(service.root.count)) "
                + String(decoding: $0.body, as: UTF8.self)
                .replacing(service.root, with: "~/")
        }
        return (answer.status, sent)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var body: String
        var links: String
        var sent: [String]
        var order = 1

        var testDescription: String { body }
    }

    @Test(arguments: [
        Case(
            body: #"{"Cust":{"@id":"Custs(2)"}}"#,
            links: "2 1,2",
            sent: [#"PATCH Orders(1) {"Cust@odata.bind":"Custs(2)"}"#]
        ),
        Case(
            body: #"{"Cust":{"@odata.id":"http://service.test/odata/Custs(2)"},"Title":"n"}"#,
            links: "2 1,2",
            sent: [#"PATCH Orders(1) {"Title":"n","Cust@odata.bind":"Custs(2)"}"#]
        ),
        Case(body: #"{"Cust":null}"#, links: "- 1,2", sent: ["DELETE Orders(1)/Cust/$ref "]),
        Case(body: #"{"Cust":null}"#, links: "- ", sent: ["DELETE Orders(2)/Cust/$ref "], order: 2),
        Case(
            body: #"{"CustID":9,"Cust":null,"Title":"n"}"#,
            links: "- ",
            sent: [#"PATCH Orders(2) {"Title":"n","CustID":9}"#],
            order: 2
        ),
        Case(
            body: #"{"Tags":[{"@id":"Tags(1)"},{"@id":"Tags(3)"}]}"#,
            links: "1 1,3",
            sent: [
                #"PATCH Orders(1) {"Tags@odata.bind":["Tags(3)"]}"#,
                "DELETE Orders(1)/Tags/$ref?$id=~/Tags(2) ",
            ]
        ),
        Case(body: #"{"Tags":[{"@id":"Tags(2)"},{"@id":"Tags(1)"}]}"#, links: "1 1,2", sent: []),
        Case(
            body:
                #"{"Tags@delta":[{"@removed":{"reason":"changed"},"@id":"Tags(2)"},{"@id":"Tags(3)"}]}"#,
            links: "1 1,3",
            sent: [
                #"PATCH Orders(1) {"Tags@odata.bind":["Tags(3)"]}"#,
                "DELETE Orders(1)/Tags/$ref?$id=~/Tags(2) ",
            ]
        ),
        Case(
            body: #"{"Tags@delta":[{"@removed":{"reason":"deleted"},"ID":2}]}"#,
            links: "1 1",
            sent: ["DELETE Tags(2) "]
        ),
        Case(
            body:
                #"{"@odata.id":"Orders(1)","@odata.etag":"W/\"0\"","ID":1,"Title":"n","Tags@odata.navigationLink":"x"}"#,
            links: "1 1,2",
            sent: [#"PATCH Orders(1) {"ID":1,"Title":"n"}"#]
        ),
    ])
    func sendsWhatAReferenceMeans(_ item: Case) async throws {
        let (service, provider) = try await opened(isV4: true)
        let (status, sent) = try await patch(
            service,
            provider,
            item.body,
            order: item.order,
            expected: item.sent
        )
        #expect(status == 204)
        let found = try await links(provider, item.order)
        #expect(found == item.links)
        #expect(sent.map { $0.replacing(service.root, with: "~/") } == item.sent)
    }

    /// `{"__metadata":{"uri":…}}` is the only form that clients of version 2 have; a deferred property says nothing.
    @Test(arguments: [
        Case(
            body:
                #"{"Cust":{"__metadata":{"uri":"http://service.test/odata/Custs(2)"}},"Title":"n"}"#,
            links: "2 1,2",
            sent: [
                #"MERGE Orders(1) {"ID":1,"Title":"n","Cust":{"__metadata":{"uri":"~/Custs(2)"}}}"#
            ]
        ),
        Case(
            body:
                #"{"Cust":{"__metadata":{"uri":"Custs(2)","type":"S.Cust"}},"Tags":{"__deferred":{"uri":"x"}}}"#,
            links: "2 1,2",
            sent: [
                #"MERGE Orders(1) {"ID":1,"Cust":{"__metadata":{"uri":"~/Custs(2)"}}}"#
            ]
        ),
        Case(body: #"{"Cust":null}"#, links: "- 1,2", sent: ["DELETE Orders(1)/$links/Cust "]),
        Case(
            body: #"{"Tags":[{"__metadata":{"uri":"Tags(1)"}},{"__metadata":{"uri":"Tags(3)"}}]}"#,
            links: "1 1,3",
            sent: [
                #"POST Orders(1)/$links/Tags {"uri":"~/Tags(3)"}"#,
                "DELETE Orders(1)/$links/Tags(2) ",
            ]
        ),
        Case(
            body: #"{"Tags@odata.bind":["Tags(3)","Tags(1)"]}"#,
            links: "1 1,2,3",
            sent: [#"POST Orders(1)/$links/Tags {"uri":"~/Tags(3)"}"#]
        ),
    ])
    func sendsWhatAReferenceMeansToAServiceOfVersion2(_ item: Case) async throws {
        let (service, provider) = try await opened(isV4: false)
        let (status, sent) = try await patch(service, provider, item.body, expected: item.sent)
        #expect(status == 204)
        let found = try await links(provider)
        #expect(found == item.links)
        #expect(sent == item.sent)
    }

    @Test(arguments: [
        #"{"Tags":null}"#, #"{"Tags@odata.bind":null}"#, #"{"Title@odata.bind":"Custs(2)"}"#,
        #"{"Cust":{"uri":"Custs(2)"}}"#, #"{"Cust":{"__metadata":{"uri":"Custs(2)"}}}"#,
        #"{"Tags":[{"@id":"Tags(1)"}],"Tags@odata.nextLink":"x?$skip=1"}"#,
        #"{"Tags@delta":[{"@removed":{"reason":"deleted"},"@id":"Tags(9)"}]}"#,
        #"{"Tags":[{"@id":"Tags(9)","ID":null}]}"#,
    ])
    func refusesWhatItCannotSend(_ body: String) async throws {
        let (service, provider) = try await opened(isV4: true)
        let (status, sent) = try await patch(service, provider, body)
        #expect((400..<405).contains(status))
        #expect(sent.isEmpty)
        let found = try await links(provider)
        #expect(found == "1 1,2")
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// An entity that was read with a related one, and lost it.
    @Test func sendsThatAValueIsRelatedNoMore() async throws {
        let (_, provider) = try await opened(isV4: true)
        var order = try #require(try await provider.executeQuery("Orders(1)?$expand=Cust").first)
        order["Cust"] = .null
        order["CustID"] = .null
        try await provider.updateEntity(order)
        let found = try await links(provider)
        #expect(found == "- 1,2")
        #expect(try await !provider.requestQueueIsEmpty())
    }

    /// A relative reference leads from the URL of its request: below the service root it would name something else there.
    @Test(arguments: [
        ("Orders", "Tags(1)"), ("Custs(1)/Baskets", "http://service.test/odata/Tags(1)"),
    ])
    func namesEntitiesFromWhereTheRequestIsSent(_ collection: String, _ name: String) async throws {
        let (service, provider) = try await opened(isV4: true)
        service.set("POST " + collection, RecordedService.json(#"{"ID":5}"#, status: 201))
        try await provider.send("POST", collection, #"{"ID":5,"Tags@odata.bind":["Tags(1)"]}"#)
        #expect(try await provider.upload().succeededCount == 1)
        let body = try #require(service.bodies(of: "POST " + collection).first)
        #expect(body.contains("\"Tags@odata.bind\":[\"\(name)\"]"), "\(body)")
    }
}
