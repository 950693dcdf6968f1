import ODataHTTP
import Testing

/// `Capabilities.InsertRestrictions`: what a new entity has to have, and what it cannot have.
@Suite struct InsertRestrictionTests {
    private func service(_ member: String, _ element: String, _ path: String) async throws
        -> TestService
    {
        try await TestService(
            metadata: Array(
                """
                <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <ComplexType Name="Part"><Property Name="Code" Type="Edm.String"/></ComplexType>
                <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String"/><Property Name="Part" Type="N.Part"/>
                <NavigationProperty Name="Next" Type="N.A"/><NavigationProperty Name="All" Type="Collection(N.A)"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"><NavigationPropertyBinding Path="Next" Target="As"/>
                <NavigationPropertyBinding Path="All" Target="As"/>
                <Annotation Term="Org.OData.Capabilities.V1.InsertRestrictions"><Record>
                <PropertyValue Property="\(member)"><Collection><\(element)>\(path)</\(element)></Collection></PropertyValue>
                </Record></Annotation></EntitySet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
                """.utf8
            ),
            data: [("As", Array(#"[{"ID":1,"Name":"a","Part":{"Code":"c"}}]"#.utf8))]
        )
    }

    private static let cases: [(member: String, path: String, fails: String, passes: String)] = [
        ("RequiredProperties", "Name", #"{"ID":2}"#, #"{"ID":2,"Name":"x"}"#),
        ("RequiredProperties", "Part/Code", #"{"ID":2}"#, #"{"ID":2,"Part":{"Code":"x"}}"#),
        ("NonInsertableProperties", "Name", #"{"ID":2,"Name":"x"}"#, #"{"ID":2}"#),
        ("NonInsertableProperties", "Part", #"{"ID":2,"Part":{"Code":"x"}}"#, #"{"ID":2}"#),
        (
            "NonInsertableNavigationProperties", "Next", #"{"ID":2,"Next@odata.bind":"As(1)"}"#,
            #"{"ID":2}"#
        ),
    ]

    @Test(arguments: cases.indices, ["As", "As(1)/All"])
    func checksNewEntities(_ number: Int, _ url: String) async throws {
        let (member, path, fails, passes) = Self.cases[number]
        let element =
            member.contains("Navigation") ? "NavigationPropertyPath" : "PropertyPath"
        let service = try await service(member, element, path)
        let refused = await service.send("POST", url, [:], fails)
        #expect(refused.status == 400, "\(refused.text)")
        #expect(refused.text.contains("Capabilities.InsertRestrictions/\(member)"))
        #expect(refused.text.contains(path))
        #expect(await service.send("POST", url, [:], passes).status == 201)
    }

    @Test func leavesChangesAlone() async throws {
        let service = try await service("NonInsertableProperties", "PropertyPath", "Name")
        #expect(await service.send("PATCH", "As(1)", [:], #"{"Name":"b"}"#).status == 204)
    }
}
