import ODataHTTP
import Testing

/// Relations that the metadata demands, and foreign keys (OData CSDL XML 4.01 §§ 8.3, 8.5).
@Suite struct RelationRuleTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Cust"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Cust"/>
        <NavigationProperty Name="Notes" Type="Collection(S.Note)" Partner="Cust"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="CustID" Type="Edm.Int32"/>
        <Property Name="Text" Type="Edm.String"/><Property Name="Land" Type="Edm.String"/>
        <NavigationProperty Name="Cust" Type="S.Cust" Nullable="false" Partner="Orders">
        <ReferentialConstraint Property="CustID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Country" Type="S.Country">
        <ReferentialConstraint Property="Land" ReferencedProperty="Code"/></NavigationProperty>
        <NavigationProperty Name="Lines" Type="Collection(S.Line)" ContainsTarget="true" Partner="Order"/></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Order" Type="S.Order" Nullable="false" Partner="Lines"/></EntityType>
        <EntityType Name="Country"><Key><PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.String" Nullable="false"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Cust" Type="S.Cust" Nullable="false" Partner="Notes"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Custs" EntityType="S.Cust">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/>
        <NavigationPropertyBinding Path="Notes" Target="Notes"/></EntitySet>
        <EntitySet Name="Orders" EntityType="S.Order"><NavigationPropertyBinding Path="Cust" Target="Custs"/>
        <NavigationPropertyBinding Path="Country" Target="Countries"/></EntitySet>
        <EntitySet Name="Unbound" EntityType="S.Order"/>
        <EntitySet Name="Countries" EntityType="S.Country"/>
        <EntitySet Name="Notes" EntityType="S.Note"><NavigationPropertyBinding Path="Cust" Target="Custs"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Order 1 and note 1 are those of customer 1; order 9 has come with keys that lead to nothing.
    private func service() async throws -> TestService {
        let data = [
            ("Custs", #"[{"ID":1},{"ID":2}]"#), ("Countries", #"[{"Code":"CH"}]"#),
            (
                "Orders",
                #"[{"ID":1,"CustID":1,"Land":"CH"},{"ID":9,"CustID":99,"Land":"XX"}]"#
            ),
            ("Notes", #"[{"ID":1,"Cust@odata.bind":"Custs(1)"}]"#),
        ]
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: data.map { (name: $0.0, json: Array($0.1.utf8)) }
        )
    }

    @Test(arguments: [
        ("POST", "Orders", #"{"ID":2}"#, "Cust is missing"),
        ("POST", "Orders", #"{"ID":2,"CustID":null}"#, "Cust is missing"),
        ("POST", "Notes", #"{"ID":2}"#, "Cust is missing"),
        ("PUT", "Notes(2)", #"{"Text":"x"}"#, "Cust is missing"),
        ("POST", "Custs", #"{"ID":3,"Notes":[{"ID":2}],"Orders":[{"ID":2}]}"#, nil),
        ("POST", "Custs(2)/Notes", #"{"ID":2}"#, nil),
        ("POST", "Custs(2)/Orders", #"{"ID":2,"Lines":[{"ID":1}]}"#, nil),
        ("POST", "Orders", #"{"ID":2,"Cust":{"ID":7}}"#, nil),
        ("POST", "Notes", #"{"ID":2,"Cust@odata.bind":"Custs(2)"}"#, nil),
        ("POST", "Orders(1)/Lines", #"{"ID":1}"#, nil),
    ])
    func demandsRequiredRelationsOfNewEntities(
        _ method: String,
        _ url: String,
        _ body: String,
        _ message: String?
    ) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == (message == nil ? 201 : 400), "\(response.text)")
        if let message { #expect(response.text.contains(message), "\(response.text)") }
    }

    @Test(arguments: [
        ("DELETE", "Orders(1)/Cust/$ref", ""), ("DELETE", "Notes(1)/Cust/$ref", ""),
        ("DELETE", "Custs(1)/Notes/$ref?$id=Notes(1)", ""),
        ("DELETE", "Custs(1)/Orders(1)/$ref", ""),
        ("PUT", "Custs(1)/Notes/$ref", #"{"value":[]}"#),
        ("PATCH", "Custs(1)", #"{"Notes":[]}"#), ("PATCH", "Orders(1)", #"{"CustID":null}"#),
        ("PUT", "Orders(1)", #"{"CustID":null}"#), ("DELETE", "Orders(1)/CustID", ""),
    ])
    func keepsRequiredRelations(_ method: String, _ url: String, _ body: String) async throws {
        let service = try await service()
        let response = await service.send(method, url, ["OData-MaxVersion": "4.01"], body)
        #expect(response.status == 400)
        #expect(response.text.contains("Cust is missing"), "\(response.text)")
        #expect(await service.get("Orders(1)/Cust").status == 200)
        #expect(await service.get("Notes(1)/Cust").status == 200)
    }

    @Test(arguments: [
        ("PUT", "Notes(1)/Cust/$ref", #"{"@odata.id":"Custs(2)"}"#),
        ("POST", "Custs(2)/Notes/$ref", #"{"@odata.id":"Notes(1)"}"#),
        ("PATCH", "Notes(1)", #"{"Cust@odata.bind":"Custs(2)"}"#), ("DELETE", "Notes(1)", ""),
        ("DELETE", "Orders(1)/Country/$ref", ""),
    ])
    func changesRequiredRelations(_ method: String, _ url: String, _ body: String) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == 204, "\(response.text)")
    }

    /// The order cannot be without it (OData 4.01 Part 1 § 11.4.5).
    @Test func keepsAPrincipalThatADependentNeeds() async throws {
        let service = try await service()
        #expect(await service.send("DELETE", "Custs(1)", [:], "").status == 409)
        #expect(await service.get("Orders(1)/Cust").status == 200)
    }

    @Test(arguments: [
        ("POST", "Orders", #"{"ID":2,"CustID":98}"#, "CustID is 98, but Custs"),
        ("PATCH", "Orders(1)", #"{"CustID":98}"#, "CustID is 98, but Custs"),
        ("PUT", "Orders(1)", #"{"CustID":98}"#, "CustID is 98, but Custs"),
        ("PATCH", "Orders(1)", #"{"Land":"YY"}"#, "Land is 'YY', but Countries"),
        ("PUT", "Orders(1)/Land", #"{"value":"YY"}"#, "Land is 'YY', but Countries"),
        ("POST", "Custs(1)/Orders", #"{"ID":2,"Land":"YY"}"#, "Land is 'YY', but Countries"),
        ("POST", "Custs", #"{"ID":3,"Orders":[{"ID":2,"Land":"YY"}]}"#, "Land is 'YY'"),
        ("PATCH", "Orders(1)", #"{"CustID":2,"Land":null}"#, nil),
        ("PUT", "Orders(1)", #"{"CustID":2}"#, nil),
        // What is as before is no fault of the request.
        ("PATCH", "Orders(9)", #"{"Text":"x"}"#, nil),
        ("PUT", "Orders(9)", #"{"CustID":99,"Land":"XX","Text":"x"}"#, nil),
    ])
    func refusesForeignKeysOfNoEntity(
        _ method: String,
        _ url: String,
        _ body: String,
        _ message: String?
    ) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == (message == nil ? 204 : 400), "\(response.text)")
        if let message { #expect(response.text.contains(message), "\(response.text)") }
        #expect(await service.get("Orders(2)").status == 404)
    }

    /// Without a binding, the set of the principal is not known for certain.
    @Test func takesForeignKeysIntoUnknownSets() async throws {
        let response = await (try service()).send("POST", "Unbound", [:], #"{"ID":1,"CustID":98}"#)
        #expect(response.status == 201, "\(response.text)")
    }

    /// A change set counts as a whole (OData 4.01 Part 1 § 11.7.4).
    @Test(arguments: [
        ([("POST", "Orders", #"{"ID":2,"CustID":3}"#), ("POST", "Custs", #"{"ID":3}"#)], true),
        ([("POST", "Orders", #"{"ID":2,"CustID":3}"#), ("DELETE", "Orders(2)", "{}")], true),
        ([("POST", "Orders", #"{"ID":2,"CustID":3}"#), ("POST", "Custs", #"{"ID":4}"#)], false),
        (
            [
                ("DELETE", "Notes(1)/Cust/$ref", "{}"),
                ("PUT", "Notes(1)/Cust/$ref", #"{"@id":"Custs(2)"}"#),
            ], true
        ),
        ([("DELETE", "Notes(1)/Cust/$ref", "{}"), ("POST", "Custs", #"{"ID":3}"#)], false),
        ([("POST", "Notes", #"{"ID":2}"#), ("POST", "Custs", #"{"ID":3}"#)], false),
        (
            [
                ("POST", "Notes", #"{"ID":2}"#),
                ("POST", "Custs(1)/Notes/$ref", #"{"@id":"Notes(2)"}"#),
            ], true
        ),
    ])
    func checksChangeSetsAtTheirEnd(_ changes: [(String, String, String)], _ isDone: Bool)
        async throws
    {
        let requests = changes.enumerated().map { index, change in
            #"{"id":"r\#(index)","atomicityGroup":"g","method":"\#(change.0)","url":"\#(change.1)","#
                + #""headers":{"content-type":"application/json"},"body":\#(change.2)}"#
        }
        let body = "{\"requests\":[\(requests.joined(separator: ","))]}"
        let response = await (try service()).send("POST", "$batch", [:], body)
        #expect(response.status == 200)
        #expect(response.text.contains(#""status":400"#) != isDone, "\(response.text)")
    }

    typealias Change = (method: String, url: String, body: String)

    private static let faults: [(changes: [Change], guilty: Int)] = [
        ([("POST", "Orders", #"{"ID":2,"CustID":3}"#), ("POST", "Custs", #"{"ID":4}"#)], 0),
        ([("POST", "Custs", #"{"ID":4}"#), ("POST", "Orders", #"{"ID":2,"CustID":3}"#)], 1),
        (
            [
                ("POST", "Custs", #"{"ID":4}"#), ("PATCH", "Orders(1)", #"{"CustID":8}"#),
                ("PATCH", "Orders(1)", #"{"Text":"x"}"#),
            ], 1
        ),
        (
            [
                ("PATCH", "Orders(1)", #"{"CustID":8}"#), ("PATCH", "Orders(1)", #"{"CustID":9}"#),
                ("POST", "Custs", #"{"ID":4}"#),
            ], 1
        ),
        (
            [
                ("POST", "Orders", #"{"ID":2,"CustID":1}"#),
                ("PATCH", "Orders(2)", #"{"CustID":9}"#), ("POST", "Custs", #"{"ID":4}"#),
            ], 1
        ),
        (
            [
                ("POST", "Custs", #"{"ID":4}"#), ("DELETE", "Notes(1)/Cust/$ref", "{}"),
                ("PATCH", "Notes(1)", #"{"Text":"x"}"#),
            ], 1
        ),
        (
            [
                ("POST", "Notes", #"{"ID":2}"#), ("POST", "Custs", #"{"ID":4}"#),
                ("PATCH", "Notes(2)", #"{"Text":"x"}"#),
            ], 0
        ),
        ([("POST", "Custs", #"{"ID":4}"#), ("DELETE", "Custs(1)", "{}")], 1),
    ]

    /// What is found at the end is answered with the request that caused it.
    @Test(arguments: faults)
    func blamesTheRequestThatCausedAFault(changes: [Change], guilty: Int) async throws {
        let requests = changes.enumerated().map { index, change in
            #"{"id":"r\#(index)","atomicityGroup":"g","method":"\#(change.method)","url":"\#(change.url)","#
                + #""headers":{"content-type":"application/json"},"body":\#(change.body)}"#
        }
        let body = "{\"requests\":[\(requests.joined(separator: ","))]}"
        let response = await (try service()).send("POST", "$batch", [:], body)
        let parts = BatchResponse(json: response.body).parts
        #expect(parts.count == changes.count)
        let refused = parts.filter { $0.response.status != 424 }
        #expect(refused.map(\.contentID) == ["r\(guilty)"], "\(response.text)")
    }

    /// An entity whose links change is another version (OData 4.01 Part 1 § 11.4.1.1).
    @Test(arguments: [
        ("Custs(2)", "POST", "Custs(2)/Notes/$ref", #"{"@odata.id":"Notes(1)"}"#),
        ("Notes(1)", "PUT", "Notes(1)/Cust/$ref", #"{"@odata.id":"Custs(2)"}"#),
        ("Custs(2)", "PUT", "Notes(1)/Cust/$ref", #"{"@odata.id":"Custs(2)"}"#),
        ("Custs(1)", "PUT", "Notes(1)/Cust/$ref", #"{"@odata.id":"Custs(2)"}"#),
    ])
    func givesAnEntityAnotherETagWithItsLinks(
        _ entity: String,
        _ method: String,
        _ url: String,
        _ body: String
    ) async throws {
        let service = try await service()
        let before = await service.get(entity).headers["ETag"]
        #expect(await service.send(method, url, [:], body).status == 204)
        #expect(await service.get(entity).headers["ETag"] != before)
    }

    /// ETags in a body are preconditions of the entities that they stand in (OData 4.01 Part 1 § 11.4.1.1).
    @Test(
        arguments: [
            ("4.01", #"{"Notes":[{"ID":1,"@odata.etag":"W/\"99\"","Text":"new"}]}"#, 412),
            (nil, #"{"Notes":[{"ID":1,"@odata.etag":"W/\"99\"","Text":"new"}]}"#, 412),
            (nil, #"{"Notes":[{"ID":1,"@odata.etag":"*","Text":"new"}]}"#, 204),
            (nil, #"{"Notes":[{"ID":1,"@odata.etag":"no tag","Text":"new"}]}"#, 400),
            ("4.0", #"{"Notes":[{"ID":1,"@odata.etag":"W/\"99\"","Text":"new"}]}"#, 204),
            (nil, #"{"@odata.etag":"W/\"99\"","Name":"new"}"#, 412),
            ("4.0", #"{"@odata.etag":"W/\"99\"","Name":"new"}"#, 204),
        ] as [(String?, String, Int)]
    )
    func heedsETagsInBodies(_ version: String?, _ body: String, _ status: Int) async throws {
        let service = try await service()
        let headers: HTTPHeaders = version.map { ["OData-Version": $0] } ?? [:]
        let response = await service.send("PATCH", "Custs(1)", headers, body)
        #expect(response.status == status, "\(response.text)")
        let changed = await service.get("Custs(1)?$expand=Notes").text.contains("new")
        #expect(changed == (status == 204))
    }

    /// A count is that of all, whatever page is asked for (OData 4.01 Part 1 § 11.2.6.5).
    @Test(arguments: [
        ("$top=0", #""Notes@odata.count":2,"Notes":[]}"#),
        ("$skip=9", #""Notes@odata.count":2,"Notes":[]}"#),
        (
            "$skip=1",
            #""ID":2,"Text":null}]}"#
        ),
        ("$top=1;$filter=ID gt 1;$skip=1", #""Notes@odata.count":1,"Notes":[]}"#),
        ("$filter=ID gt 9;$top=1", #""Notes@odata.count":0,"Notes":[]}"#),
    ])
    func countsRelatedEntitiesBesideThePage(_ options: String, _ part: String) async throws {
        let service = try await service()
        let note = #"{"ID":2,"Cust@odata.bind":"Custs(1)"}"#
        #expect(await service.send("POST", "Notes", [:], note).status == 201)
        let url = "Custs(1)?$select=ID&$expand=Notes($count=true;\(options))".replacing(
            " ",
            with: "%20"
        )
        let text = await service.get(url).text
        #expect(text.hasSuffix(part), "\(text)")
    }

    /// The ETag of an entity says nothing of those that are expanded.
    @Test func answersExpandedEntitiesAnew() async throws {
        let service = try await service()
        let etag = await service.get("Custs(1)").headers["ETag"] ?? ""
        let headers: HTTPHeaders = ["If-None-Match": etag]
        #expect(await service.get("Custs(1)", headers).status == 304)
        #expect(await service.get("Custs(1)?$expand=Notes", headers).status == 200)
    }
}
