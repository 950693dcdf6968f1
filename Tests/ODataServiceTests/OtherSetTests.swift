import ODataHTTP
import Testing

/// Relations to entities of another set than the property is bound to, and the end of one that the other entity's key holds.
@Suite struct OtherSetTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="B"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="AID" Type="Edm.Int32"/>
        <NavigationProperty Name="A" Type="S.A"><ReferentialConstraint Property="AID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Free" Type="S.A"/>
        <NavigationProperty Name="Card" Type="S.Card" Partner="B"/></EntityType>
        <EntityType Name="Card"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="BID" Type="Edm.Int32"/>
        <NavigationProperty Name="B" Type="S.B" Partner="Card"><ReferentialConstraint Property="BID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="S.A"/><EntitySet Name="Others" EntityType="S.A"/>
        <EntitySet Name="Bs" EntityType="S.B"><NavigationPropertyBinding Path="A" Target="As"/>
        <NavigationPropertyBinding Path="Free" Target="Others"/>
        <NavigationPropertyBinding Path="Card" Target="Cards"/></EntitySet>
        <EntitySet Name="Cards" EntityType="S.Card"><NavigationPropertyBinding Path="B" Target="Bs"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                ("As", Array(#"[{"ID":1}]"#.utf8)), ("Others", Array(#"[{"ID":1}]"#.utf8)),
                ("Bs", Array(#"[{"ID":3}]"#.utf8)), ("Cards", Array(#"[{"ID":20,"BID":3}]"#.utf8)),
            ]
        )
    }

    @Test(arguments: [
        ("PUT", "Bs(3)/A/$ref", #"{"@odata.id":"Others(1)"}"#),
        ("PUT", "Bs(3)/Free/$ref", #"{"@odata.id":"As(1)"}"#),
        ("PATCH", "Bs(3)", #"{"A@odata.bind":"Others(1)"}"#),
        ("POST", "Bs", #"{"ID":4,"Free@odata.bind":"As(1)"}"#),
        ("POST", "Bs", #"{"ID":4,"A@odata.bind":"Others(1)"}"#),
    ])
    func areRefused(_ method: String, _ url: String, _ body: String) async throws {
        let service = try await service()
        let response = await service.send(method, url, [:], body)
        #expect(response.status == 400)
        #expect(response.text.contains("leads to entities of"))
        #expect(
            await service.valueText("Bs?$expand=A,Free,Card")
                == #"[{"ID":3,"AID":null,"A":null,"Free":null,"Card":{"ID":20,"BID":3}}]"#
        )
    }

    @Test func endWithoutNamingTheOtherEntity() async throws {
        let service = try await service()
        #expect(await service.send("DELETE", "Bs(3)/Card/$ref").status == 204)
        #expect(await service.valueText("Cards") == #"[{"ID":20,"BID":null}]"#)
    }
}
