import ODataHTTP
import Testing

/// Context URLs of paths with casts (OData 4.01 Part 1 §§ 10.2, 10.5, 10.6): a cast stands there where it restricts what is answered.
@Suite struct DerivedContextTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Orders" Type="Collection(S.Order)"/><NavigationProperty Name="Friends" Type="Collection(S.Person)"/>
        <NavigationProperty Name="Notes" Type="Collection(S.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Vip" BaseType="S.Person"><NavigationProperty Name="Manager" Type="S.Person"/>
        <NavigationProperty Name="Perks" Type="Collection(S.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="No"/></Key><Property Name="No" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="S.Person">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/><NavigationPropertyBinding Path="Friends" Target="People"/>
        <NavigationPropertyBinding Path="S.Vip/Manager" Target="People"/></EntitySet>
        <EntitySet Name="Orders" EntityType="S.Order"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        let people = ##"""
            [{"ID":2},{"@odata.type":"#S.Vip","ID":3,"Manager@odata.bind":"People(2)","Orders@odata.bind":["Orders(1)"],
            "Friends@odata.bind":["People(2)"],"Notes":[{"No":1}],"Perks":[{"No":2}]}]
            """##
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Orders", Array(#"[{"ID":1}]"#.utf8)), ("People", Array(people.utf8))]
        )
    }

    @Test(arguments: [
        ("People(3)/S.Vip/Orders?$select=ID", "#Orders(ID)"),
        ("People(3)/S.Vip/Orders(1)", "#Orders/$entity"),
        ("People(3)/S.Vip/Manager", "#People/$entity"),
        ("People(3)/S.Vip/Notes", "#People(3)/Notes"),
        ("People(3)/S.Vip/Perks", "#People(3)/S.Vip/Perks"),
        ("People(3)/S.Vip/Perks(2)", "#People(3)/S.Vip/Perks/$entity"),
        ("People(3)/S.Vip/Friends(2)/Orders", "#Orders"),
        ("People(3)/S.Vip", "#People/S.Vip/$entity"),
        ("People/S.Vip(3)", "#People/S.Vip/$entity"),
        ("People/S.Vip", "#People/S.Vip"), ("People(2)/Friends/S.Vip", "#People/S.Vip"),
    ])
    func nameTheCastOfTheResourceAlone(url: String, context: String) async throws {
        let response = await (try service()).get(url)
        let start = #"{"@odata.context":"http://service.test/$metadata\#(context)""#
        #expect(response.text.hasPrefix(start), "\(response.text)")
    }

    @Test(arguments: [
        ("People(3)/S.Vip/Orders", #"{"ID":7}"#, "#Orders/$entity"),
        ("People(3)/S.Vip/Perks", #"{"No":7}"#, "#People(3)/S.Vip/Perks/$entity"),
    ])
    func nameTheSetOfWhatIsCreatedBehindACast(url: String, body: String, context: String)
        async throws
    {
        let response = await (try service()).send("POST", url, [:], body)
        let start = #"{"@odata.context":"http://service.test/$metadata\#(context)""#
        #expect(response.status == 201 && response.text.hasPrefix(start), "\(response.text)")
    }
}
