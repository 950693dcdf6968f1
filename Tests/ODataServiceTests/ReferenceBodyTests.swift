import ODataHTTP
import Testing

@testable import ODataAnswers

/// Bodies that name other entities, in the forms of all versions, and what the service's data are afterwards
/// (OData 4.01 Part 1 § 11.4.3, OData JSON 4.01 §§ 8.5, 14, 15; JSON Verbose Format § 6).
@Suite struct ReferenceBodyTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/>
        <NavigationProperty Name="Near" Type="S.Cust"/></ComplexType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <Property Name="CustID" Type="Edm.Int32"/><Property Name="Place" Type="S.Place"/>
        <Property Name="Photo" Type="Edm.Stream"/>
        <NavigationProperty Name="Cust" Type="S.Cust">
        <ReferentialConstraint Property="CustID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Next" Type="S.Order"/>
        <NavigationProperty Name="Tags" Type="Collection(S.Tag)"/>
        <NavigationProperty Name="Lines" Type="Collection(S.Line)" ContainsTarget="true"/>
        <NavigationProperty Name="Texts" Type="Collection(S.Text)" Partner="Order"/></EntityType>
        <EntityType Name="Text"><Key><PropertyRef Name="OrderID"/><PropertyRef Name="Language"/></Key>
        <Property Name="OrderID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Language" Type="Edm.String" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Order" Type="S.Order" Partner="Texts">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Cust"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Tag"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Cust" Target="Custs"/><NavigationPropertyBinding Path="Tags" Target="Tags"/>
        <NavigationPropertyBinding Path="Next" Target="Orders"/><NavigationPropertyBinding Path="Texts" Target="Texts"/>
        </EntitySet><EntitySet Name="Texts" EntityType="S.Text">
        <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        <EntitySet Name="Custs" EntityType="S.Cust"/><EntitySet Name="Tags" EntityType="S.Tag"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        for (url, body) in [
            ("Custs", #"{"ID":1,"Name":"one"}"#), ("Custs", #"{"ID":2,"Name":"two"}"#),
            ("Tags", #"{"ID":1,"Name":"a"}"#), ("Tags", #"{"ID":2,"Name":"b"}"#),
            ("Tags", #"{"ID":3,"Name":"c"}"#), ("Orders", #"{"ID":2,"Title":"other"}"#),
            (
                "Orders",
                #"{"ID":1,"Title":"t","Cust@odata.bind":"Custs(1)","Next@odata.bind":"Orders(2)","#
                    + #""Tags@odata.bind":["Tags(1)","Tags(2)"],"Lines":[{"ID":1},{"ID":2}]}"#
            ),
        ] {
            let response = await service.send("POST", url, [:], body)
            try #require(response.status == 201, "\(response.text)")
        }
        return service
    }

    /// Title, customer, next order, tags, lines of an order.
    private func state(_ service: TestService, _ order: Int = 1) async -> String {
        let response = await service.get(
            "Orders(\(order))?$select=Title&$expand=Cust($select=ID),Next($select=ID),Tags($select=Name;$orderby=ID),Lines($select=ID)",
            ["Accept": "application/json;odata.metadata=none"]
        )
        return response.text.replacing("\"", with: "")
    }

    private static let before =
        "{ID:1,Title:t,Cust:{ID:1},Next:{ID:2},Tags:[{ID:1,Name:a},{ID:2,Name:b}],Lines:[{ID:1},{ID:2}]}"

    @Test(arguments: [
        // A single-valued reference replaces.
        (#"{"Cust":{"@id":"Custs(2)"}}"#, "Cust:{ID:1}", "Cust:{ID:2}"),
        (#"{"Cust":{"@odata.id":"http://service.test/Custs(2)"}}"#, "Cust:{ID:1}", "Cust:{ID:2}"),
        (#"{"Cust@odata.bind":"Custs(2)"}"#, "Cust:{ID:1}", "Cust:{ID:2}"),
        (#"{"Cust@bind":"Custs(2)"}"#, "Cust:{ID:1}", "Cust:{ID:2}"),
        (#"{"Next":{"@id":"Orders(1)"}}"#, "Next:{ID:2}", "Next:{ID:1}"),
        (#"{"Cust":null}"#, "Cust:{ID:1}", "Cust:null"),
        (#"{"Cust@odata.bind":null}"#, "Cust:{ID:1}", "Cust:null"),
        (#"{"Next":null}"#, "Next:{ID:2}", "Next:null"),
        // A collection is the whole of it, a binding adds, a delta changes.
        (#"{"Tags":[{"@id":"Tags(3)"}]}"#, "[{ID:1,Name:a},{ID:2,Name:b}]", "[{ID:3,Name:c}]"),
        (#"{"Tags":[{"@id":"Tags(1)"},{"@id":"Tags(3)"}]}"#, "{ID:2,Name:b}", "{ID:3,Name:c}"),
        (#"{"Tags":[{"@id":"Tags(1)"},{"ID":2}]}"#, "", ""),
        (#"{"Tags":[]}"#, "[{ID:1,Name:a},{ID:2,Name:b}]", "[]"),
        (#"{"Tags@odata.bind":["Tags(3)"]}"#, "{ID:2,Name:b}", "{ID:2,Name:b},{ID:3,Name:c}"),
        (#"{"Tags@odata.bind":[]}"#, "", ""),
        (#"{"Tags@delta":[{"@id":"Tags(3)"}]}"#, "{ID:2,Name:b}", "{ID:2,Name:b},{ID:3,Name:c}"),
        (#"{"Tags@odata.delta":[]}"#, "", ""),
        (
            #"{"Tags@delta":[{"@removed":{"reason":"changed"},"@id":"Tags(1)"}]}"#,
            "{ID:1,Name:a},", ""
        ),
        (#"{"Tags@delta":[{"@removed":{"reason":"changed"},"ID":1}]}"#, "{ID:1,Name:a},", ""),
        (
            #"{"Tags@delta":[{"ID":2,"@removed":{"reason":"deleted"}},{"@id":"Tags(3)"}]}"#,
            "{ID:2,Name:b}", "{ID:3,Name:c}"
        ),
        (#"{"Lines@delta":[{"@removed":{"reason":"deleted"},"ID":1}]}"#, "{ID:1},{ID:2}", "{ID:2}"),
        // An entity that is there is changed, by its key or by its id.
        (#"{"Tags":[{"@id":"Tags(1)","Name":"x"},{"ID":2}]}"#, "{ID:1,Name:a}", "{ID:1,Name:x}"),
        (#"{"Tags@delta":[{"@odata.id":"Tags(1)","Name":"x"}]}"#, "{ID:1,Name:a}", "{ID:1,Name:x}"),
        // The echo of a read says nothing more.
        (
            #"{"@odata.context":"http://service.test/$metadata#Orders/$entity","@odata.id":"Orders(1)","@odata.etag":"W/\"9\"","#
                + #""@odata.editLink":"Orders(1)","ID":1,"Title":"new","Cust@odata.navigationLink":"Orders(1)/Cust","#
                + #""Cust@odata.associationLink":"Orders(1)/Cust/$ref","Tags@odata.navigationLink":"Orders(1)/Tags","#
                + #""Photo@odata.mediaReadLink":"Orders(1)/Photo","Tags@odata.nextLink":"Orders(1)/Tags?$skip=2","Tags@odata.count":2,"#
                + #""Place":{"City":"Bern","Near@odata.navigationLink":"Orders(1)/Place/Near"},"#
                + #""Cust":{"@odata.etag":"W/\"8\"","@odata.id":"Custs(1)","ID":1,"Name":"one"}}"#,
            "Title:t", "Title:new"
        ),
        (#"{"CustID":2,"Cust":null}"#, "Cust:{ID:1}", "Cust:{ID:2}"),
    ])
    func changesWhatAnUpdateSays(_ body: String, _ was: String, _ becomes: String) async throws {
        let service = try await service()
        let present = await state(service)
        #expect(present == Self.before)
        // Since 4.01 the ETags of an echo would be preconditions.
        let headers: HTTPHeaders = body.contains("etag") ? ["OData-Version": "4.0"] : [:]
        let response = await service.send("PATCH", "Orders(1)", headers, body)
        #expect(response.status == 204, "\(response.text)")
        let expected = was.isEmpty ? Self.before : Self.before.replacing(was, with: becomes)
        let found = await state(service)
        #expect(found == expected)
    }

    @Test(arguments: [
        #"{"Tags":null}"#, #"{"Tags@odata.bind":null}"#,
        #"{"Cust@odata.bind":["Custs(1)","Custs(2)"]}"#,
        #"{"Title@odata.bind":"Custs(2)"}"#, #"{"Nothing@odata.bind":"Custs(2)"}"#,
        #"{"Nothing@delta":[]}"#, #"{"Place":{"Near@odata.bind":"Custs(2)"}}"#,
        #"{"Place":{"Near":{"@id":"Custs(2)"}}}"#, #"{"Photo":"AAAA"}"#,
        #"{"Cust":{"__metadata":{"uri":"Custs(2)"}}}"#, #"{"Cust":{"__deferred":{"uri":"x"}}}"#,
        #"{"Cust":{"uri":"Custs(2)"}}"#, #"{"Cust":"Custs(2)"}"#, #"{"Tags":{"@id":"Tags(3)"}}"#,
        #"{"Tags":[{"@id":"Tags(1)"}],"Tags@odata.nextLink":"Orders(1)/Tags?$skip=1"}"#,
        #"{"Tags":[{"@id":"Tags(9)"}]}"#, #"{"Tags":[{"@id":"Tags(9)","Name":"x"}]}"#,
        #"{"Tags@delta":[{"@removed":{"reason":"changed"},"@id":"Tags(9)"}]}"#,
        #"{"Tags@delta":[{"@removed":{"reason":"changed"}}]}"#,
        #"{"@removed":{"reason":"deleted"},"@id":"Orders(1)"}"#,
    ])
    func refusesWhatItCannotKeep(_ body: String) async throws {
        let service = try await service()
        let response = await service.send("PATCH", "Orders(1)", [:], body)
        #expect((400..<405).contains(response.status), "\(response.status)")
        let found = await state(service)
        #expect(found == Self.before)
    }

    @Test(arguments: [
        (
            #"{"ID":3,"Cust":{"@id":"Custs(2)"},"Tags":[{"@id":"Tags(1)"},{"ID":7,"Name":"g"}]}"#,
            "{ID:3,Title:null,Cust:{ID:2},Next:null,Tags:[{ID:1,Name:a},{ID:7,Name:g}],Lines:[]}"
        ),
        (
            #"{"ID":3,"Cust":null,"Tags":[],"Lines@delta":[{"ID":5}]}"#,
            "{ID:3,Title:null,Cust:null,Next:null,Tags:[],Lines:[{ID:5}]}"
        ),
    ])
    func createsWithReferences(_ body: String, _ expected: String) async throws {
        let service = try await service()
        let response = await service.send("POST", "Orders", [:], body)
        #expect(response.status == 201, "\(response.text)")
        #expect(await state(service, 3) == expected)
    }

    @Test(arguments: [
        #"{"ID":3,"Tags":[{"@id":"Tags(1)","Name":"x"}]}"#,
        #"{"ID":3,"Tags@delta":[{"@removed":{"reason":"changed"},"@id":"Tags(1)"}]}"#,
    ])
    func refusesToCreateWhatIsThere(_ body: String) async throws {
        let service = try await service()
        let response = await service.send("POST", "Orders", [:], body)
        #expect(response.status == 400, "\(response.text)")
        #expect(await service.get("Orders(3)").status == 404)
        #expect(await service.get("Tags/$count").text == "3")
    }

    // MARK: Collections as a whole

    /// Part of the key stands in the entity around.
    @Test func findsInlineEntitiesByTheKeyTheyInherit() async throws {
        let service = try await service()
        let texts = #"{"Texts":[{"Language":"EN","Text":"one"},{"Language":"DE","Text":"eins"}]}"#
        #expect(await service.send("PATCH", "Orders(1)", [:], texts).status == 204)
        let changed = #"{"Texts":[{"Language":"EN","Text":"changed"}]}"#
        let response = await service.send("PATCH", "Orders(1)", [:], changed)
        #expect(
            response.status == 400,
            "an entity cannot leave a relation that is a part of its key"
        )
        let delta = #"{"Texts@delta":[{"Language":"EN","Text":"changed"}]}"#
        let second = await service.send("PATCH", "Orders(1)", [:], delta)
        #expect(second.status == 204, "\(second.text)")
        #expect(await service.get("Texts(OrderID=1,Language='EN')/Text/$value").text == "changed")
        #expect(await service.get("Texts/$count").text == "2")
    }

    /// OData 4.01 Part 1 § 12.2.1, item 22.
    @Test func replacesAndClearsACollectionOfLinks() async throws {
        let service = try await service()
        func tags() async -> String {
            await service.get(
                "Orders(1)/Tags?$select=ID&$orderby=ID",
                ["Accept": "application/json;odata.metadata=none"]
            ).text
        }
        let body = #"{"value":[{"@id":"Tags(2)"},{"@odata.id":"http://service.test/Tags(3)"}]}"#
        let response = await service.send("PUT", "Orders(1)/Tags/$ref", [:], body)
        #expect(response.status == 204, "\(response.text)")
        #expect(await tags() == #"{"value":[{"ID":2},{"ID":3}]}"#)
        #expect(await service.send("PUT", "Orders(1)/Tags/$ref", [:], "{}").status == 400)
        #expect(await service.send("DELETE", "Orders(1)/Tags/$ref").status == 204)
        #expect(await tags() == #"{"value":[]}"#)
        let old: HTTPHeaders = ["OData-MaxVersion": "4.0"]
        #expect(await service.send("DELETE", "Orders(1)/Tags/$ref", old).status == 400)
    }
}
