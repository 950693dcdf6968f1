import ODataHTTP
import OfflineOData
import Testing

/// Arithmetic and comparisons at their edges, and a key that the service gives.
@Suite struct ComparisonEdgeTests {
    private static let first = "01234567-89ab-cdef-0123-456789abcdef"
    private static let given = "89abcdef-0123-4567-89ab-cdef01234567"

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Guid" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.ComputedDefaultValue"/></Property>
        <Property Name="Title" Type="Edm.String"/><Property Name="Time" Type="Edm.Duration"/>
        <Property Name="N" Type="Edm.Int32"/><Property Name="D" Type="Edm.Decimal" Scale="2"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="N.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set(
            "GET Things",
            RecordedService.json(
                #"{"value":[{"ID":"\#(Self.first)","Title":"a","Time":"PT0.1234567S","N":4,"D":1.5}]}"#
            )
        )
        let provider = try await service.opened(["Things"])
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, provider)
    }

    /// Whole numbers and decimals have no value to answer; the request says so, whatever form the zero has.
    @Test func answersDivisionsByZeroWithOneStatus() async throws {
        let (_, provider) = try await opened()
        var statuses: Set<Int> = []
        for condition in [
            "N div 0 eq 1", "N mod 0 eq 1", "1 div 0 eq 1", "D div 0 eq 1", "N div (1 sub 1) eq 1",
            "N div (N sub 4) eq 1", "D mod 0 eq 1", "not (N div 0 eq 1)",
            "cast(N,Edm.Double) mod 0 eq null",
        ] {
            let url = "Things?$filter=" + condition.replacing(" ", with: "%20")
            statuses.insert(await provider.respond(to: HTTPRequest(method: "GET", url: url)).status)
        }
        #expect(statuses.count == 1, "\(statuses)")
    }

    @Test(arguments: [
        ("Time eq duration'PT0.1234567S'", 1), ("Time eq duration'PT0.1234568S'", 0),
        ("Time lt duration'PT0.1234568S'", 1), ("Time gt duration'PT0.1234566S'", 1),
        ("Time gt duration'PT0.1234567S'", 0), ("Time ge duration'PT0.1234567S'", 1),
        ("Time in (duration'PT0.1234567S')", 1), ("Time eq duration'P0DT0H0M0.12345670S'", 1),
    ])
    func comparesDurationsToTheTick(_ filter: String, _ count: Int) async throws {
        let (_, provider) = try await opened()
        #expect(try await provider.executeQuery("Things?$filter=\(filter)").count == count)
    }

    /// The entity keeps the key that the service gave it when a later change of it is taken back.
    @Test func keepsAKeyFromTheServiceWhenALaterChangeIsTakenBack() async throws {
        let (service, provider) = try await opened()
        let created = try await provider.createEntity(
            EntityValue(entitySet: "Things", ["Title": "new"])
        )
        service.set(
            "POST Things",
            RecordedService.json(#"{"ID":"\#(Self.given)","Title":"new"}"#, status: 201)
        )
        try await provider.upload()
        var entity = try #require(try await provider.executeQuery("Things(\(Self.given))").first)
        entity["Title"] = "other"
        try await provider.updateEntity(entity)
        try await provider.undoPendingChanges(of: entity)
        let back = try #require(try await provider.executeQuery("Things(\(Self.given))").first)
        #expect(back["Title"]?.stringValue == "new")
        #expect(back["ID"]?.stringValue == Self.given)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.executeQuery("Things").count == 2)
        withExtendedLifetime(created) {}
    }
}
