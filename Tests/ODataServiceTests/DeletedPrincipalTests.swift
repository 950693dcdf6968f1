import ODataHTTP
import Testing

/// What becomes of entities that hold the key of a deleted one where the model declares no `OnDelete` (OData 4.01 Part 1 § 11.4.5).
@Suite struct DeletedPrincipalTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Cust"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="BossID" Type="Edm.Int32"/>
        <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Cust"/>
        <NavigationProperty Name="Boss" Type="S.Cust">
        <ReferentialConstraint Property="BossID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="CustID" Type="Edm.Int32"/>
        <NavigationProperty Name="Cust" Type="S.Cust" Partner="Orders">
        <ReferentialConstraint Property="CustID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Line"><Key><PropertyRef Name="OrderID"/><PropertyRef Name="No"/></Key>
        <Property Name="OrderID" Type="Edm.Int32" Nullable="false"/><Property Name="No" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Order" Type="S.Order" Nullable="false">
        <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Cust" Type="S.Cust" Nullable="false"/></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Bolts" Type="Collection(S.Bolt)" Partner="Part"><OnDelete Action="SetDefault"/></NavigationProperty>
        </EntityType>
        <EntityType Name="Bolt"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="PartID" Type="Edm.Int32" DefaultValue="1"/>
        <NavigationProperty Name="Part" Type="S.Part" Partner="Bolts">
        <ReferentialConstraint Property="PartID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Notes" EntityType="S.Note">
        <NavigationPropertyBinding Path="Cust" Target="Custs"/></EntitySet>
        <EntitySet Name="Parts" EntityType="S.Part"><NavigationPropertyBinding Path="Bolts" Target="Bolts"/></EntitySet>
        <EntitySet Name="Bolts" EntityType="S.Bolt"><NavigationPropertyBinding Path="Part" Target="Parts"/></EntitySet>
        <EntitySet Name="Custs" EntityType="S.Cust">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/><NavigationPropertyBinding Path="Boss" Target="Custs"/>
        </EntitySet><EntitySet Name="Orders" EntityType="S.Order">
        <NavigationPropertyBinding Path="Cust" Target="Custs"/></EntitySet><EntitySet Name="Lines" EntityType="S.Line">
        <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Customer 1 is its own boss and that of 2; it has order 1, which has a line.
    private func service() async throws -> TestService {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        for (url, body) in [
            ("Custs", #"{"ID":1,"BossID":1}"#), ("Custs", #"{"ID":2,"BossID":1}"#),
            ("Orders", #"{"ID":1,"CustID":1}"#), ("Lines", #"{"OrderID":1,"No":1}"#),
        ] {
            let response = await service.send("POST", url, [:], body)
            try #require(response.status == 201, "\(response.text)")
        }
        return service
    }

    @Test func takesTheKeyAway() async throws {
        let service = try await service()
        let etag = await service.get("Orders(1)").headers["ETag"]
        #expect(await service.send("DELETE", "Custs(1)").status == 204)
        #expect(await service.get("Orders(1)/CustID").status == 204)
        #expect(await service.get("Custs(2)/BossID").status == 204)
        #expect(await service.get("Orders(1)").headers["ETag"] != etag)
    }

    @Test func keepsAnEntityThatOthersCannotBeWithout() async throws {
        let service = try await service()
        let refused = await service.send("DELETE", "Orders(1)")
        #expect(refused.status == 409)
        #expect(refused.text.contains("entities of Lines cannot be without their Order"))
        #expect(await service.get("Orders(1)").status == 200)
        #expect(await service.send("DELETE", "Lines(OrderID=1,No=1)").status == 204)
        #expect(await service.send("DELETE", "Orders(1)").status == 204)
    }

    @Test func keepsAnEntityThatOthersAreLinkedToAndCannotBeWithout() async throws {
        let service = try await service()
        let note = #"{"ID":1,"Cust@odata.bind":"Custs(2)"}"#
        #expect(await service.send("POST", "Notes", [:], note).status == 201)
        let refused = await service.send("DELETE", "Custs(2)")
        #expect(refused.status == 409)
        #expect(refused.text.contains("entities of Notes cannot be without their Cust"))
        #expect(await service.send("DELETE", "Notes(1)").status == 204)
        #expect(await service.send("DELETE", "Custs(2)").status == 204)
    }

    @Test func keepsAnEntityWhoseKeyIsTheDefaultThatOthersGet() async throws {
        let service = try await service()
        for (url, body) in [
            ("Parts", #"{"ID":1}"#), ("Parts", #"{"ID":2}"#), ("Bolts", #"{"ID":1,"PartID":2}"#),
        ] {
            #expect(await service.send("POST", url, [:], body).status == 201)
        }
        #expect(await service.send("DELETE", "Parts(2)").status == 204)
        #expect(await service.get("Bolts(1)/PartID/$value").text == "1")
        let refused = await service.send("DELETE", "Parts(1)")
        #expect(refused.status == 409)
        #expect(refused.text.contains("entities of Bolts cannot be without their Part"))
        #expect(await service.get("Parts(1)").status == 200)
    }

    /// The order within a change set does not matter.
    @Test func deletesBothInOneChangeSet() async throws {
        let service = try await service()
        let batch = """
            {"requests":[{"id":"1","atomicityGroup":"g","method":"delete","url":"Orders(1)"},
            {"id":"2","atomicityGroup":"g","method":"delete","url":"Lines(OrderID=1,No=1)"}]}
            """
        let response = await service.send("POST", "$batch", [:], batch)
        #expect(BatchResponse(json: response.body).parts.map(\.response.status) == [204, 204])
        #expect(await service.get("Lines/$count").text.hasSuffix("0"))
    }
}
