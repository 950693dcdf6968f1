import ODataHTTP
import Testing

/// Keys of singletons, which updates do not change (OData 4.01 Part 1 § 11.4.3).
@Suite struct SingletonKeyTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <Property Name="Fixed" Type="Collection(Edm.String)" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.Immutable"/></Property>
        <Property Name="Free" Type="Collection(Edm.String)" Nullable="false"/></EntityType>
        <ComplexType Name="Key"><Property Name="P" Type="Edm.Int32" Nullable="false"/></ComplexType>
        <EntityType Name="Own"><Key><PropertyRef Name="C/P" Alias="P"/></Key>
        <Property Name="C" Type="S.Key" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><Singleton Name="Me" Type="S.Thing"/><Singleton Name="Mine" Type="S.Own"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [
        ("PATCH", "Me", #"{"ID":9}"#, #""ID":1,"Name":"a","Fixed":["t"],"Free":["u"]"#),
        ("PATCH", "Me", #"{"ID":9,"Name":"b"}"#, #""ID":1,"Name":"b""#),
        ("PUT", "Me", #"{"Name":"x"}"#, #""ID":1,"Name":"x","Fixed":["t"],"Free":[]"#),
        ("PUT", "Me", #"{"ID":9,"Name":"x"}"#, #""ID":1,"Name":"x""#),
        ("PUT", "Mine", #"{"Name":"x"}"#, #""C":{"P":1},"Name":"x""#),
        ("PATCH", "Mine", #"{"C":{"P":9}}"#, #""C":{"P":1},"Name":"a""#),
    ])
    func keepsTheKey(
        _ method: String,
        _ url: String,
        _ body: String,
        _ part: String
    ) async throws {
        let service = try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                ("Me", Array(#"{"ID":1,"Name":"a","Fixed":["t"],"Free":["u"]}"#.utf8)),
                ("Mine", Array(#"{"C":{"P":1},"Name":"a"}"#.utf8)),
            ]
        )
        let response = await service.send(method, url, [:], body)
        #expect([200, 204].contains(response.status), "\(response.text)")
        let entity = await service.get(url)
        #expect(entity.text.contains(part), "\(entity.text)")
    }
}
