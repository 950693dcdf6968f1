import ODataHTTP
import Testing

/// Changes that take an entity away from where the URL of the request has reached it: by another key, or by another relation.
@Suite struct MovedEntityTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Code" Type="Edm.String"/>
        <Property Name="BossID" Type="Edm.Int32"/>
        <NavigationProperty Name="Boss" Type="S.Person" Partner="Reports">
        <ReferentialConstraint Property="BossID" ReferencedProperty="ID"/></NavigationProperty>
        <NavigationProperty Name="Reports" Type="Collection(S.Person)" Partner="Boss"/>
        <NavigationProperty Name="Lead" Type="S.Person" Partner="Team"/>
        <NavigationProperty Name="Team" Type="Collection(S.Person)" Partner="Lead"/>
        <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection>
        <Record><PropertyValue Property="Key"><Collection>
        <Record><PropertyValue Property="Name" PropertyPath="Code"/><PropertyValue Property="Alias" String="Code"/></Record>
        </Collection></PropertyValue></Record></Collection></Annotation></EntityType>
        <EntityType Name="Manager" BaseType="S.Person"><Property Name="Rank" Type="Edm.Int32"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="S.Person">
        <NavigationPropertyBinding Path="Boss" Target="People"/><NavigationPropertyBinding Path="Reports" Target="People"/>
        <NavigationPropertyBinding Path="Lead" Target="People"/><NavigationPropertyBinding Path="Team" Target="People"/>
        </EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let people = """
        [{"ID":1,"Code":"a"},{"ID":2,"Code":"b"},{"ID":3,"Code":"c","BossID":1},
        {"@odata.type":"#S.Manager","ID":4,"Code":"d","BossID":1,"Rank":7}]
        """

    private static func service() async throws -> TestService {
        try await TestService(
            metadata: Array(metadata.utf8),
            data: [("People", Array(people.utf8))]
        )
    }

    @Test(arguments: [
        ("PATCH", "People(Code='c')", #"{"Code":"new"}"#, #""ID":3,"Code":"new","BossID":1}"#),
        ("PUT", "People(Code='c')", #"{"BossID":2}"#, #""ID":3,"Code":null,"BossID":2}"#),
        (
            "PATCH", "People(1)/Reports(3)", #"{"Boss@odata.bind":"People(2)"}"#,
            #""ID":3,"Code":"c","BossID":2}"#
        ),
        ("PATCH", "People(1)/Reports(3)?$select=BossID", #"{"BossID":null}"#, #""BossID":null}"#),
        (
            "PATCH", "People(1)/Reports/S.Manager(4)?$select=Rank", #"{"BossID":2}"#, #""Rank":7}"#
        ),
        ("PUT", "People(Code='c')/Code", #"{"value":"new"}"#, #""value":"new"}"#),
    ])
    func areAnsweredWithTheEntity(_ method: String, _ url: String, _ body: String, _ end: String)
        async throws
    {
        let service = try await Self.service()
        let answer = await service.send(method, url, ["Prefer": "return=representation"], body)
        #expect(answer.status == 200)
        #expect(answer.text.hasSuffix(end), "\(answer.text)")
        #expect(answer.headers["ETag"] != nil)
    }

    /// What the URL says of the new entity and what the body says contradict each other (OData 4.01 Part 1 § 11.4.2.1).
    @Test(arguments: [
        ("Reports", #"{"ID":9,"Boss@odata.bind":"People(2)"}"#),
        ("Reports", #"{"ID":9,"Boss@odata.bind":null}"#),
        ("Reports", #"{"ID":9,"Boss":{"ID":10}}"#),
        ("Team", #"{"ID":9,"Lead@odata.bind":"People(2)"}"#),
        ("Team", #"{"ID":9,"Lead":{"ID":10}}"#),
    ])
    func areNotMadeByACreation(_ property: String, _ body: String) async throws {
        let service = try await Self.service()
        for preference in ["return=representation", "return=minimal"] {
            let answer = await service.send(
                "POST",
                "People(1)/\(property)",
                ["Prefer": "\(preference)"],
                body
            )
            #expect(answer.status == 400)
            #expect(answer.text.contains("to another one than the URL does"))
            #expect(await service.get("People/$count").text == "4")
        }
    }

    @Test(arguments: [
        ("Reports", #"{"ID":9}"#), ("Reports", #"{"ID":9,"Boss@odata.bind":"People(1)"}"#),
        ("Team", #"{"ID":9}"#), ("Team", #"{"ID":9,"Lead@odata.bind":"People(1)"}"#),
    ])
    func areNotSeenInACreationThatAgrees(_ property: String, _ body: String) async throws {
        let service = try await Self.service()
        let answer = await service.send("POST", "People(1)/\(property)", [:], body)
        #expect(answer.status == 201)
        #expect(answer.text.contains(#""ID":9,"Code":null,"#), "\(answer.text)")
        #expect(await service.get("People(1)/\(property)(9)").text == answer.text)
    }

    /// A change of the other relation moves an entity as well.
    @Test func areAnsweredWithTheEntityWithoutAForeignKey() async throws {
        let service = try await Self.service()
        _ = await service.send("POST", "People(1)/Team", [:], #"{"ID":9}"#)
        let answer = await service.send(
            "PATCH",
            "People(1)/Team(9)",
            ["Prefer": "return=representation"],
            #"{"Lead@odata.bind":"People(2)"}"#
        )
        #expect(
            answer.status == 200 && answer.text.hasSuffix(#""ID":9,"Code":null,"BossID":null}"#)
        )
        #expect(await service.get("People(1)/Team/$count").text == "0")
    }
}
