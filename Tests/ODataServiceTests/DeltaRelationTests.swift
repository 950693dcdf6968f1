import ODataHTTP
import ODataText
import Testing

@testable import ODataService

/// Changes of links without foreign keys in deltas (OData 4.01 Part 1 § 11.3).
@Suite struct DeltaRelationTests {
    private static let metadata = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Cat" Type="S.Cat" Partner="Items"/></EntityType>
        <EntityType Name="Cat"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Items" Type="Collection(S.Item)" Partner="Cat"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="S.Item">
        <NavigationPropertyBinding Path="Cat" Target="Cats"/></EntitySet>
        <EntitySet Name="Cats" EntityType="S.Cat"><NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func service() async throws -> TestService {
        var options = StandaloneOptions()
        options.tracksChanges = true
        return try await TestService(
            metadata: Array(Self.metadata.utf8),
            data: [
                ("Cats", Array(#"[{"ID":11},{"ID":12}]"#.utf8)),
                ("Items", Array(#"[{"ID":21,"Cat@odata.bind":"Cats(11)"},{"ID":22}]"#.utf8)),
            ],
            options: options
        )
    }

    /// Carries out a change and answers the value of a delta since before.
    private func delta(
        _ url: String,
        _ version: String,
        after change: (method: String, url: String, body: String?)
    ) async throws -> String {
        let service = try await service()
        let headers: HTTPHeaders = ["Prefer": "track-changes", "OData-MaxVersion": version]
        let first = await service.get(url, headers)
        let link = try #require(
            JSONTree(first.body)?.string("@odata.deltaLink"),
            "\(first.text)"
        )
        let changed = await service.send(change.method, change.url, [:], change.body)
        #expect(changed.status == 204, "\(changed.text)")
        let answer = await service.get(
            TestService.relative(link),
            ["OData-MaxVersion": version]
        )
        let tree = try #require(JSONTree(answer.body))
        let value = try #require(tree.member("value"), "\(answer.text)")
        return String(decoding: tree.text(value), as: UTF8.self)
    }

    /// Of one that is reached by several ways, too.
    @Test func tellsOnceThatAnEntityIsGone() async throws {
        let url = "Items?$expand=Cat($expand=Items)"
        let value = try await delta(url, "4.0", after: ("DELETE", "Items(22)", nil))
        #expect(value.ranges(of: "$deletedEntity").count == 1, "\(value)")
    }

    private static let changes: [(method: String, url: String, body: String?)] = [
        ("DELETE", "Items(21)/Cat/$ref", nil),
        ("DELETE", "Cats(11)/Items/$ref?$id=Items(21)", nil),
        ("PUT", "Items(21)/Cat/$ref", #"{"@odata.id":"Cats(12)"}"#),
        ("PATCH", "Items(21)", #"{"Cat@odata.bind":"Cats(12)"}"#),
        ("PUT", "Cats(12)/Items/$ref", #"{"value":[{"@odata.id":"Items(21)"}]}"#),
        ("POST", "Cats(12)/Items/$ref", #"{"@odata.id":"Items(21)"}"#),
    ]

    @Test(arguments: changes)
    func tellsTheEntityWithTheProperty(_ change: (method: String, url: String, body: String?))
        async throws
    {
        let value = try await delta("Items?$expand=Cat($select=ID)", "4.01", after: change)
        let cat = change.method == "DELETE" ? "null" : #"{"ID":12}"#
        #expect(value.contains(#""ID":21,"#), "\(value)")
        #expect(value.contains(#""Cat":"# + cat) || value.contains(#""ID":12"#), "\(value)")
    }

    @Test(arguments: changes)
    func tellsLoserAndWinner(_ change: (method: String, url: String, body: String?)) async throws {
        let value = try await delta("Cats?$expand=Items($select=ID)", "4.01", after: change)
        #expect(value.contains(#""ID":11,"Items":[]"#), "\(value)")
        #expect(value.contains(#""ID":12"#) == (change.method != "DELETE"), "\(value)")
    }

    @Test(arguments: changes)
    func tellsDeletedLinksInVersion40(_ change: (method: String, url: String, body: String?))
        async throws
    {
        let value = try await delta("Cats?$expand=Items($select=ID)", "4.0", after: change)
        #expect(value.contains("/$deletedLink"), "\(value)")
        #expect(value.contains("Cats(11)"), "\(value)")
        #expect(value.contains("/$link") == (change.method != "DELETE"), "\(value)")
        // What nothing leads to any more is not in the result.
        #expect(value.contains("#Items/$entity") == (change.method != "DELETE"), "\(value)")
    }

    /// A relationship to one entity that has ended is known by its source (OData JSON 4.0 § 14.3).
    @Test(arguments: changes)
    func tellsTheEndOfASingleLinkInVersion40(
        _ change: (method: String, url: String, body: String?)
    ) async throws {
        let value = try await delta("Items?$expand=Cat($select=ID)", "4.0", after: change)
        let kind = change.method == "DELETE" ? "$deletedLink" : "$link"
        let target = change.method == "DELETE" ? "" : #","target":"http://service.test/Cats(12)""#
        let link =
            #"/\#(kind)","source":"http://service.test/Items(21)","relationship":"Cat"\#(target)}"#
        #expect(value.contains(link), "\(value)")
    }
}
