import ODataHTTP
import Testing

/// Casts of collections of complex values in the path (OData 4.01 Part 2 § 4.11).
@Suite struct CastItemTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <Annotation Term="Org.OData.Core.V1.DefaultNamespace"/>
        <ComplexType Name="Addr"><Property Name="City" Type="Edm.String"/></ComplexType>
        <ComplexType Name="Home" BaseType="S.Addr"><Property Name="Floor" Type="Edm.Int32"/></ComplexType>
        <ComplexType Name="Other"><Property Name="X" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Addrs" Type="Collection(S.Addr)" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="S.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        let things = """
            [{"ID":1,"Addrs":[{"City":"A"},{"@odata.type":"#S.Home","City":"B","Floor":2},
            {"@odata.type":"#S.Home","City":"C","Floor":1}]},{"ID":2,"Addrs":[]}]
            """
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Things", Array(things.utf8))]
        )
    }

    @Test(arguments: [
        ("Things(1)/Addrs/S.Home", ["B", "C"]), ("Things(1)/Addrs/Home", ["B", "C"]),
        ("Things(1)/Addrs/S.Addr", ["A", "B", "C"]), ("Things(2)/Addrs/S.Home", []),
        ("Things(1)/Addrs/S.Home?$filter=Floor eq 1", ["C"]),
        ("Things(1)/Addrs/S.Home?$orderby=Floor&$top=1", ["C"]),
        ("Things(1)/Addrs/S.Home?$select=City", ["B", "C"]),
    ])
    func answersTheItemsOfTheType(_ url: String, _ cities: [String]) async throws {
        let response = await (try service()).get(url.replacing(" ", with: "%20"))
        #expect(response.status == 200, "\(response.text)")
        let found = ["A", "B", "C"].filter { response.text.contains("\"City\":\"\($0)\"") }
        #expect(found == cities, "\(response.text)")
    }

    @Test func countsTheItemsOfTheType() async throws {
        let service = try await service()
        #expect(await service.get("Things(1)/Addrs/S.Home/$count").text == "2")
        let counted = await service.get("Things(1)/Addrs/S.Home?$count=true&$top=1")
        #expect(counted.text.contains(#""@odata.count":2"#), "\(counted.text)")
        #expect(counted.text.contains("$metadata#Things(1)/Addrs/S.Home"), "\(counted.text)")
    }

    @Test func refusesOtherTypes() async throws {
        let service = try await service()
        #expect(await service.get("Things(1)/Addrs/S.Other").status == 400)
        #expect(await service.get("Things(1)/Addrs/S.Nope").status == 404)
        #expect(await service.get("Things(1)/Addrs/City").status == 400)
    }

    /// A change of the items of one type would be one of all of them.
    @Test(arguments: ["PUT", "POST", "DELETE", "PATCH"])
    func refusesChanges(_ method: String) async throws {
        let service = try await service()
        let body = method == "DELETE" ? nil : #"{"value":[]}"#
        let response = await service.send(method, "Things(1)/Addrs/S.Home", [:], body)
        #expect(response.status == 405, "\(response.text)")
        #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS")
        #expect(await service.get("Things(1)/Addrs/$count").text == "3")
    }
}
