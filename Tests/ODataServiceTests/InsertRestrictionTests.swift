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

    /// A restriction with a body that breaks it and one that keeps it.
    struct Restriction: Sendable, CustomTestStringConvertible {
        let member: String
        let path: String
        let fails: String
        let passes: String

        init(_ member: String, _ path: String, fails: String, passes: String) {
            (self.member, self.path) = (member, path)
            (self.fails, self.passes) = (fails, passes)
        }

        var testDescription: String { "\(member) \(path)" }
    }

    private static let restrictions = [
        Restriction(
            "RequiredProperties",
            "Name",
            fails: #"{"ID":2}"#,
            passes: #"{"ID":2,"Name":"x"}"#
        ),
        Restriction(
            "RequiredProperties",
            "Part/Code",
            fails: #"{"ID":2}"#,
            passes: #"{"ID":2,"Part":{"Code":"x"}}"#
        ),
        Restriction(
            "NonInsertableProperties",
            "Name",
            fails: #"{"ID":2,"Name":"x"}"#,
            passes: #"{"ID":2}"#
        ),
        Restriction(
            "NonInsertableProperties",
            "Part",
            fails: #"{"ID":2,"Part":{"Code":"x"}}"#,
            passes: #"{"ID":2}"#
        ),
        Restriction(
            "NonInsertableNavigationProperties",
            "Next",
            fails: #"{"ID":2,"Next@odata.bind":"As(1)"}"#,
            passes: #"{"ID":2}"#
        ),
    ]

    @Test(arguments: restrictions, ["As", "As(1)/All"])
    func checksNewEntities(_ restriction: Restriction, _ url: String) async throws {
        let (member, path) = (restriction.member, restriction.path)
        let element =
            member.contains("Navigation") ? "NavigationPropertyPath" : "PropertyPath"
        let service = try await service(member, element, path)
        let refused = await service.send("POST", url, [:], restriction.fails)
        #expect(refused.status == 400, "\(refused.text)")
        #expect(refused.text.contains("Capabilities.InsertRestrictions/\(member)"))
        #expect(refused.text.contains(path))
        #expect(await service.send("POST", url, [:], restriction.passes).status == 201)
    }

    @Test func leavesChangesAlone() async throws {
        let service = try await service("NonInsertableProperties", "PropertyPath", "Name")
        #expect(await service.send("PATCH", "As(1)", [:], #"{"Name":"b"}"#).status == 204)
    }
}
