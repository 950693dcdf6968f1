import ODataHTTP
import Testing

/// `$levels=max` over cyclic data ends at references to entities that stand above.
@Suite struct UnlimitedLevelTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="P"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Best" Type="S.P"/><NavigationProperty Name="Friends" Type="Collection(S.P)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Ps" EntityType="S.P"><NavigationPropertyBinding Path="Best" Target="Ps"/>
        <NavigationPropertyBinding Path="Friends" Target="Ps"/></EntitySet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service(_ people: String) async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [("Ps", Array(people.utf8))]
        )
    }

    private static let cyclic = """
        [{"ID":1,"Best@odata.bind":"Ps(2)","Friends@odata.bind":["Ps(2)","Ps(3)"]},
        {"ID":2,"Best@odata.bind":"Ps(1)","Friends@odata.bind":["Ps(1)","Ps(3)"]},
        {"ID":3,"Best@odata.bind":"Ps(3)","Friends@odata.bind":["Ps(1)","Ps(2)"]}]
        """

    private static func reference(_ id: Int) -> String {
        #"{"@odata.id":"http://service.test/Ps(\#(id))"}"#
    }

    @Test(arguments: [
        ("Ps(1)?$expand=Best($levels=max)", #"{"ID":1,"Best":{"ID":2,"Best":\#(reference(1))}}"#),
        ("Ps(3)?$expand=Best($levels=max)", #"{"ID":3,"Best":\#(reference(3))}"#),
        (
            "Ps(1)?$expand=Friends($levels=max)",
            #"{"ID":1,"Friends":[{"ID":2,"Friends":[\#(reference(1)),{"ID":3,"Friends":[\#(reference(1)),\#(reference(2))]}]},"#
                + #"{"ID":3,"Friends":[\#(reference(1)),{"ID":2,"Friends":[\#(reference(1)),\#(reference(3))]}]}]}"#
        ),
        (
            "Ps?$filter=ID lt 3&$expand=Best($levels=max)",
            #"{"value":[{"ID":1,"Best":{"ID":2,"Best":\#(reference(1))}},{"ID":2,"Best":{"ID":1,"Best":\#(reference(2))}}]}"#
        ),
        (
            "Ps(1)?$expand=Best($expand=Best($levels=max))",
            #"{"ID":1,"Best":{"ID":2,"Best":\#(reference(1))}}"#
        ),
        // A number of levels is what it is.
        ("Ps(3)?$expand=Best($levels=2)", #"{"ID":3,"Best":{"ID":3,"Best":{"ID":3}}}"#),
    ])
    func endsAtReferences(url: String, expected: String) async throws {
        let response = await (try service(Self.cyclic)).get(
            url.replacing(" ", with: "%20"),
            ["Accept": "application/json;odata.metadata=none"]
        )
        #expect(response.text == expected)
    }

    @Test func keepsALimitOfLevels() async throws {
        let people = (1...40).map {
            "{\"ID\":\($0),\"Best@odata.bind\":\"Ps(\(min($0 + 1, 40)))\"}"
        }
        let service = try await service("[" + people.joined(separator: ",") + "]")
        let response = await service.get("Ps(1)?$expand=Best($levels=max)")
        #expect(response.status == 400 && response.text.contains("levels"), "\(response.text)")
        #expect(await service.get("Ps(15)?$expand=Best($levels=max)").status == 200)
    }

    @Test func keepsALimitOfWays() async throws {
        let all = (1...12).map { "\"Ps(\($0))\"" }.joined(separator: ",")
        let people = (1...12).map { "{\"ID\":\($0),\"Friends@odata.bind\":[\(all)]}" }
        let service = try await service("[" + people.joined(separator: ",") + "]")
        let response = await service.get("Ps(1)?$expand=Friends($levels=max)")
        #expect(response.status == 400 && response.text.contains("$levels=max"), "\(response.text)")
    }
}
