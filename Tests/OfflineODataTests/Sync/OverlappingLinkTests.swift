import OfflineOData
import Testing

/// Two queries have brought one link, and the deltas of both take it away: what it led to goes.
@Suite struct OverlappingLinkTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Ward"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <NavigationProperty Name="Marks" Type="Collection(S.Mark)"/><NavigationProperty Name="Mark" Type="S.Mark"/></EntityType>
        <EntityType Name="Mark"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Wards" EntityType="S.Ward">
        <NavigationPropertyBinding Path="Marks" Target="Marks"/><NavigationPropertyBinding Path="Mark" Target="Marks"/></EntitySet>
        <EntitySet Name="Marks" EntityType="S.Mark"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [
        ("Marks", #"[{"ID":7}]"#, "[]", 0), ("Mark", #"{"ID":7}"#, "null", 0),
        ("Marks", #"[{"ID":7}]"#, #"[{"ID":7}]"#, 1), ("Mark", #"{"ID":7}"#, #"{"ID":7}"#, 1),
    ])
    func takesAwayWhatItLedTo(
        _ property: String,
        _ before: String,
        _ after: String,
        _ count: Int
    ) async throws {
        let service = try RecordedService(metadata: Self.model)
        let queries = [
            "Wards?$expand=\(property)", "Wards?$count=true&$expand=\(property)",
        ]
        for (number, query) in queries.enumerated() {
            let link = #""@odata.deltaLink":"Wards?d=\#(number)""#
            service.set(
                "GET \(query)",
                RecordedService.json(#"{"value":[{"ID":1,"\#(property)":\#(before)}],\#(link)}"#)
            )
            let item = #"{"ID":1,"\#(property)":\#(number == 0 || count == 0 ? after : before)}"#
            service.set(
                "GET Wards?d=\(number)",
                RecordedService.json(#"{"value":[\#(item)],\#(link)}"#)
            )
        }
        let provider = try await service.opened(queries)
        #expect(try await provider.executeQuery("Marks").count == 1)
        try await provider.download()
        #expect(try await provider.executeQuery("Marks").count == count)
    }
}
