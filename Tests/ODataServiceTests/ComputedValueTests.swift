import ODataHTTP
import Testing

/// What `$compute` and `compute` make of values that are not primitive, and of numbers that JSON has no literal for.
@Suite struct ComputedValueTests {
    @Test(arguments: [
        "$compute=Home as H&$select=H", "$compute=Best as H", "$compute=Photo as H",
        "$compute=Tags as H", "$compute=Orders as H", "$compute=case(true:Home) as H",
        "$compute=Home as H&$filter=H/City eq 'Berlin'", "$apply=compute(Home as H)/groupby((H))",
        "$apply=aggregate(Home with max as H)", "$apply=aggregate(Best with sum as H)",
    ])
    func areRefusedWhereTheyAreNotPrimitive(options: String) async throws {
        let parts = options.split(separator: "&").map { option in
            let sides = option.split(separator: "=", maxSplits: 1).map(String.init)
            return sides[0] + "=" + sides[1].percentEncoded
        }
        let response = await (try ClauseService.make()).get("Custs?" + parts.joined(separator: "&"))
        #expect(response.status == 501, "\(response.text)")
        #expect(response.text.contains("primitive"), "\(response.text)")
    }

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Dbl" Type="Edm.Double"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="S.Item"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                (
                    "Items",
                    Array(#"[{"ID":1,"Dbl":"INF"},{"ID":2,"Dbl":"NaN"},{"ID":3,"Dbl":1.5}]"#.utf8)
                )
            ]
        )
    }

    /// OData JSON 4.01 § 4.6.3: a string that means a number says its type.
    @Test(arguments: [
        (
            "Items?$compute=Dbl add 1 as X&$select=X&$filter=ID eq 1",
            ##""X@odata.type":"#Double","X":"INF""##
        ),
        (
            "Items?$compute=Dbl add 1 as X&$select=X&$filter=ID eq 2",
            ##""X@odata.type":"#Double","X":"NaN""##
        ),
        (
            "Items?$compute=-Dbl as X&$select=X&$filter=ID eq 1",
            ##""X@odata.type":"#Double","X":"-INF""##
        ),
        ("Items?$compute=Dbl add 1 as X&$select=X&$filter=ID eq 3", #""ID":3,"X":2.5}"#),
        (
            "Items?$apply=filter(ID eq 1)/aggregate(Dbl with max as D)",
            ##""D@odata.type":"#Double","D":"INF"}"##
        ),
        ("Items?$apply=filter(ID eq 3)/aggregate(Dbl with max as D)", #"null,"D":1.5}]"#),
    ])
    func stateTheTypeOfInfinities(url: String, part: String) async throws {
        let response = await (try service()).get(url.replacing(" ", with: "%20"))
        #expect(response.text.contains(part), "\(response.text)")
    }

    @Test(arguments: [
        ("Inf eq INF", 1), ("Inf eq 'INF'", 0), ("Inf ne 'INF'", 2), ("Inf gt 5", 1),
        ("Inf gt 5.5", 1),
        ("Inf lt 5", 0), ("Low lt 0", 1), ("Low eq -INF", 1), ("Low gt 0", 0), ("Nan eq NaN", 0),
        ("Nan gt 0", 0),
        ("-INF lt 0", 2), ("INF gt 5", 2), ("Word eq 'INF'", 1), ("Word eq INF", 0),
        ("Word gt 5", 0), ("Plain eq 2.5", 1),
        ("Plain gt 2", 1),
    ])
    func compareAsTheirTypesSay(filter: String, count: Int) async throws {
        let service = try await TestService(metadata: Array(Self.metadata.utf8))
        let item = ##"""
            {"ID":1,"Inf@odata.type":"#Double","Inf":"INF","Low@odata.type":"#Double","Low":"-INF",
            "Nan@odata.type":"#Double","Nan":"NaN","Word":"INF","Plain":2.5}
            """##
        for body in [item, #"{"ID":2}"#] {
            let created = await service.send("POST", "Items", [:], body)
            #expect(created.status == 201, "\(created.text)")
        }
        let response = await service.get("Items/$count?$filter=\(filter.percentEncoded)")
        #expect(response.text.hasSuffix("\(count)"), "\(response.text)")
    }
}
