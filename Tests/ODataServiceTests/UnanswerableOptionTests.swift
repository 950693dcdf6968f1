import ODataHTTP
import Testing

/// Changes whose `$select` or `$expand` is not offered are made and answered without them (OData 4.01 Part 1 § 11.4.1.5).
@Suite struct UnanswerableOptionTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Addr"><Property Name="City" Type="Edm.String"/><NavigationProperty Name="Region" Type="S.Region"/></ComplexType>
        <EntityType Name="Region"><Key><PropertyRef Name="Code"/></Key><Property Name="Code" Type="Edm.String" Nullable="false"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/><Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        <Property Name="Home" Type="S.Addr"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="S.Item"><NavigationPropertyBinding Path="Home/Region" Target="Regions"/></EntitySet>
        <EntitySet Name="Regions" EntityType="S.Region"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Items", Array(#"[{"ID":1,"Name":"a","Home":{"City":"B"}}]"#.utf8))]
        )
    }

    private static let options = [
        "$expand=Home/Region&$select=ID", "$select=Tags($compute=1%20as%20One)",
    ]

    @Test(arguments: options, [[:], ["Prefer": "return=representation"]] as [HTTPHeaders])
    func changesAnswerNothing(options: String, headers: HTTPHeaders) async throws {
        let service = try await service()
        let response = await service.send("PATCH", "Items(1)?" + options, headers, #"{"Name":"b"}"#)
        #expect(response.status == 204, "\(response.text)")
        #expect(response.headers["Preference-Applied"] == nil)
        #expect(await service.get("Items(1)/Name/$value").text == "b")
    }

    @Test(arguments: options)
    func newEntitiesAreWhole(options: String) async throws {
        let service = try await service()
        let response = await service.send("POST", "Items?" + options, [:], #"{"ID":2,"Name":"b"}"#)
        #expect(response.status == 201, "\(response.text)")
        #expect(response.text.contains(#"$metadata#Items/$entity""#), "\(response.text)")
        #expect(response.text.contains(#""Name":"b""#) && !response.text.contains("Region"))
        #expect(response.headers["Location"] == "http://service.test/Items(2)")
    }

    @Test(arguments: ["$select=Nothing", "$expand=Name"])
    func wrongNamesAreRefused(options: String) async throws {
        let service = try await service()
        let response = await service.send("PATCH", "Items(1)?" + options, [:], #"{"Name":"b"}"#)
        #expect(response.status == 400, "\(response.text)")
        #expect(await service.get("Items(1)/Name/$value").text == "a")
    }
}
