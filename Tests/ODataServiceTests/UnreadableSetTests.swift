import ODataHTTP
import ODataAnswers
import ODataService
import Testing

/// A set whose entities cannot be read shows them by no other way either.
@Suite struct UnreadableSetTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Next" Type="S.Thing"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing">
        <NavigationPropertyBinding Path="Next" Target="Closed"/></EntitySet>
        <EntitySet Name="Closed" EntityType="S.Thing">
        <NavigationPropertyBinding Path="Next" Target="Closed"/>
        <Annotation Term="Org.OData.Capabilities.V1.ReadRestrictions"><Record>
        <PropertyValue Property="Readable" Bool="false"/></Record></Annotation></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        var options = StandaloneOptions()
        options.service.obeysRestrictions = true
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                ("Closed", Array(#"[{"ID":7,"Name":"hidden"}]"#.utf8)),
                ("Things", Array(#"[{"ID":1,"Name":"n","Next@odata.bind":"Closed(7)"}]"#.utf8)),
            ],
            options: options
        )
    }

    @Test(arguments: [
        ("Closed", 405), ("Things(1)/Next", 405), ("Things?$expand=Next", 400),
        ("Things?$expand=Next($expand=Next)", 400), ("Things(1)?$expand=Next", 400),
        ("$crossjoin(Closed)", 400), ("$crossjoin(Things,Closed)?$expand=Closed", 400),
    ])
    func isRefusedWhereItWouldBeShown(_ url: String, _ status: Int) async throws {
        let response = await (try service()).get(url)
        #expect(response.status == status)
        #expect(!response.text.contains("hidden"))
        #expect(response.text.contains("cannot be read"))
    }

    @Test func isLeftOutOfAll() async throws {
        let text = await (try service()).get("$all").text
        #expect(text.contains(#""Name":"n""#))
        #expect(!text.contains("hidden"))
    }
}
