import ODataHTTP
import OfflineOData
import Testing

/// What a service says of itself in its metadata, and what follows for the requests to it.
@Suite struct StatedCapabilityTests {
    private static func metadata(_ container: String, _ schema: String = "") -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">\(schema)
        <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Parts" EntityType="S.Part"/>\(container)</EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    private func read(_ metadata: String) async throws -> HTTPRequest {
        let service = try RecordedService(metadata: metadata)
        service.set("GET Parts", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        _ = try await service.opened(["Parts"])
        return try #require(service.log.last)
    }

    @Test(arguments: [("4.0", "4.0"), ("4.0 4.01", "4.01"), ("4.01", "4.01")])
    func asksForAVersionThatTheServiceSpeaks(_ stated: String, _ asked: String) async throws {
        let request = try await read(
            Self.metadata(
                "<Annotation Term=\"Org.OData.Core.V1.ODataVersions\" String=\"\(stated)\"/>"
            )
        )
        #expect(request.headers["OData-MaxVersion"] == asked)
    }

    @Test(arguments: [false, true])
    func asksForDeltasUnlessTheSetHasNone(_ isTracked: Bool) async throws {
        let request = try await read(
            Self.metadata(
                """
                <Annotation Term="Org.OData.Capabilities.V1.ChangeTracking"><Record>
                <PropertyValue Property="Supported" Bool="\(isTracked)"/></Record></Annotation>
                """
            )
        )
        let asks = request.headers["Prefer"]?.contains("track-changes") ?? false
        #expect(asks == isTracked)
    }
}
