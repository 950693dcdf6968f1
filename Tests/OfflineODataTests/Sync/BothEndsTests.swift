import ODataHTTP
import OfflineOData
import Testing

/// Links that queries ask for from both ends, as a whole and in part.
@Suite struct BothEndsTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Groups" Type="Collection(N.Group)" Partner="Members"/></EntityType>
        <EntityType Name="Group"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Members" Type="Collection(N.Person)" Partner="Groups"/></EntityType>
        <EntityType Name="Clerk" BaseType="N.Person"><NavigationProperty Name="Desks" Type="Collection(N.Group)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="N.Person">
        <NavigationPropertyBinding Path="Groups" Target="Groups"/>
        <NavigationPropertyBinding Path="N.Clerk/Desks" Target="Groups"/></EntitySet>
        <EntitySet Name="Groups" EntityType="N.Group">
        <NavigationPropertyBinding Path="Members" Target="People"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func ids(_ provider: OfflineODataProvider, _ url: String) async throws -> [Int64]
    {
        try await provider.executeQuery(url).compactMap { $0["ID"]?.integerValue }.sorted()
    }

    /// The part that is asked for at one end says nothing of the links that the other end has brought.
    @Test func keepsTheLinksThatTheOtherEndHasBrought() async throws {
        let query = "People?$expand=Groups($expand=Members($filter=ID ne 1))"
        func answer(_ groupsOfFirst: String) -> HTTPResponse {
            RecordedService.json(
                """
                {"value":[{"ID":1,"Groups":[\(groupsOfFirst)]},
                {"ID":2,"Groups":[{"ID":7,"Members":[{"ID":2}]}]}]}
                """
            )
        }
        let service = try RecordedService(metadata: Self.metadata)
        let path = query.replacing(" ", with: "%20")
        service.set("GET \(path)", answer(#"{"ID":7,"Members":[{"ID":2}]}"#))
        let provider = try await service.opened([query])

        #expect(try await Self.ids(provider, "People(1)/Groups") == [7])
        #expect(try await Self.ids(provider, "Groups(7)/Members") == [1, 2])

        // The other end says too which links have ended.
        service.set("GET \(path)", answer(""))
        try await provider.download()
        #expect(try await Self.ids(provider, "People(1)/Groups") == [])
        #expect(try await Self.ids(provider, "Groups(7)/Members") == [2])
    }

    /// Two queries report that an entity is gone, and one of them alone has brought what it leads to.
    @Test(arguments: [["Groups", "Groups?$expand=Members"], ["Groups?$expand=Members", "Groups"]])
    func releasesWhatGoesWithARemovedEntity(_ queries: [String]) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let groups = [
            "Groups": #"{"ID":7}"#,
            "Groups?$expand=Members": #"{"ID":7,"Members":[{"ID":1}]}"#,
        ]
        let removal = #"{"@removed":{"reason":"deleted"},"@id":"Groups(7)"}"#
        for (number, query) in queries.enumerated() {
            let delta = "Groups?d=\(number)"
            let link = "\"@odata.deltaLink\":\"\(delta)\""
            service.set(
                "GET \(query)",
                RecordedService.json("{\"value\":[\(groups[query] ?? "")],\(link)}")
            )
            service.set("GET \(delta)", RecordedService.json("{\"value\":[\(removal)],\(link)}"))
        }
        let provider = try await service.opened(queries)
        #expect(try await Self.ids(provider, "People") == [1])

        try await provider.download()

        #expect(try await Self.ids(provider, "Groups") == [])
        #expect(try await Self.ids(provider, "People") == [])
    }

    /// Links that are entries of a delta, of a property that a derived type declares (OData JSON 4.0 § 15.4).
    @Test(arguments: ["Desks", "N.Clerk/Desks"])
    func takesLinksOfDerivedTypes(_ relationship: String) async throws {
        let query = "People?$expand=N.Clerk/Desks"
        let service = try RecordedService(metadata: Self.metadata)
        func delta(_ entries: String, _ next: Int) -> HTTPResponse {
            RecordedService.json(
                "{\"value\":[\(entries)],\"@odata.deltaLink\":\"People?d=\(next)\"}"
            )
        }
        func link(_ kind: String, _ group: Int) -> String {
            ##"{"@odata.context":"#People/$\##(kind)","source":"People(1)","relationship":"\##(relationship)","##
                + #""target":"Groups(\#(group))"}"#
        }
        let clerk = ##"{"@odata.type":"#N.Clerk","ID":1,"Desks":[{"ID":7}]}"##
        service.set("GET \(query)", delta(clerk, 1))
        service.set("GET Groups", RecordedService.json(#"{"value":[{"ID":7},{"ID":8}]}"#))
        service.set("GET People?d=1", delta(link("link", 8) + "," + link("deletedLink", 7), 2))
        let provider = try await service.opened([query, "Groups"])
        #expect(try await Self.ids(provider, "People(1)/N.Clerk/Desks") == [7])

        try await provider.download()

        #expect(try await Self.ids(provider, "People(1)/N.Clerk/Desks") == [8])
    }
}
