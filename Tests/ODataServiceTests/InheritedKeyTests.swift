import ODataHTTP
import ODataService
import Testing

/// Entities whose keys have parts of the entity that contains them.
@Suite struct InheritedKeyTests {
    private static let metadata = """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Order"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Items" Type="Collection(T.Item)" ContainsTarget="true" Partner="Order"/>
            <NavigationProperty Name="Head" Type="T.Head" ContainsTarget="true" Partner="Order"/></EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="No"/><PropertyRef Name="Pos"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Pos" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/>
            <NavigationProperty Name="Order" Type="T.Order" Nullable="false" Partner="Items">
              <ReferentialConstraint Property="No" ReferencedProperty="No"/></NavigationProperty>
            <NavigationProperty Name="Notes" Type="Collection(T.Note)" ContainsTarget="true" Partner="Item"/></EntityType>
          <EntityType Name="Note"><Key><PropertyRef Name="No"/><PropertyRef Name="Pos"/><PropertyRef Name="N"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Pos" Type="Edm.Int32" Nullable="false"/>
            <Property Name="N" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Item" Type="T.Item" Nullable="false" Partner="Notes">
              <ReferentialConstraint Property="No" ReferencedProperty="No"/>
              <ReferentialConstraint Property="Pos" ReferencedProperty="Pos"/></NavigationProperty></EntityType>
          <EntityType Name="Head"><Key><PropertyRef Name="No"/></Key>
            <Property Name="No" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Order" Type="T.Order" Nullable="false" Partner="Head">
              <ReferentialConstraint Property="No" ReferencedProperty="No"/></NavigationProperty></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="T.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        _ = await service.send("POST", "Orders", [:], #"{"No":100}"#)
        return service
    }

    @Test func areGivenThoseParts() async throws {
        let service = try await service()
        let created = await service.send("POST", "Orders(100)/Items", [:], #"{"Pos":3}"#)
        #expect(
            created.headers["Location"] == "http://service.test/Orders(100)/Items(No=100,Pos=3)"
        )
        #expect(await service.get("Orders(100)/Items(3)").status == 200)
    }

    @Test func areGivenThemAtEveryLevelOfADeepInsert() async throws {
        let service = try await service()
        let body = #"{"No":101,"Items":[{"Pos":1,"Notes":[{"N":7}]}],"Head":{}}"#
        #expect(await service.send("POST", "Orders", [:], body).status == 201)
        #expect(
            await service.valueText("Orders?$filter=No eq 101&$expand=Items($expand=Notes),Head")
                == #"[{"No":101,"Items":[{"No":101,"Pos":1,"Text":null,"Notes":[{"No":101,"Pos":1,"N":7}]}],"Head":{"No":101}}]"#
        )
    }

    @Test func areFoundByTheRestOfTheirKeyInADelta() async throws {
        let service = try await service()
        let bodies = [
            #"{"Items@delta":[{"Pos":12}]}"#, #"{"Items@delta":[{"Pos":12,"Text":"t"}]}"#,
        ]
        for body in bodies {
            let response = await service.send(
                "PATCH",
                "Orders(100)",
                ["OData-Version": "4.01"],
                body
            )
            #expect(response.status == 204, "\(response.text)")
        }
        #expect(
            await service.valueText("Orders(100)/Items") == #"[{"No":100,"Pos":12,"Text":"t"}]"#
        )
    }

    @Test(arguments: [
        ("POST", "Orders(100)/Items", #"{"No":7,"Pos":20}"#),
        ("PUT", "Orders(100)/Items(No=55,Pos=1)", #"{"Text":"t"}"#),
        ("POST", "Orders", #"{"No":102,"Items":[{"No":103,"Pos":1}]}"#),
    ])
    func areRefusedWithOtherParts(_ method: String, _ url: String, _ body: String) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == 400)
        #expect(response.text.contains("No is another one than that of the entity around"))
        #expect(await service.valueText("Orders") == #"[{"No":100}]"#)
        #expect(await service.valueText("Orders(100)/Items") == "[]")
    }
}
