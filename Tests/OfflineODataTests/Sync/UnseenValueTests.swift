import ODataHTTP
import OfflineOData
import Testing

/// A value that no query brings is written here, at a service without ETags: nothing that was seen is written over.
@Suite struct UnseenValueTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Shift"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Note" Type="Edm.String"/>
        <Property Name="Room" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Shifts" EntityType="S.Shift"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func refusals(_ body: String, whileTheServiceHas entity: String) async throws -> Int {
        let service = try RecordedService(metadata: Self.model)
        let query = "Shifts?$select=ID,Room"
        service.set("GET \(query)", RecordedService.json(#"{"value":[{"ID":1,"Room":"r"}]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened([query])
        try await provider.send("PATCH", "Shifts(1)", body)
        service.set("GET Shifts(1)", RecordedService.json(entity))
        service.set("PATCH Shifts(1)", HTTPResponse(status: 204))
        _ = try await provider.upload()
        return try await provider.errorArchive().count
    }

    @Test(arguments: [#"{"ID":1,"Room":"r","Note":"theirs"}"#, #"{"ID":1,"Room":"r","Note":null}"#])
    func isNoConflictWithoutETags(_ entity: String) async throws {
        #expect(try await refusals(#"{"Note":"mine"}"#, whileTheServiceHas: entity) == 0)
    }

    /// With an ETag the entity was changed, or has a state that was never seen here.
    @Test(arguments: [
        (#"{"Note":"mine"}"#, #"{"@odata.etag":"\"2\"","ID":1,"Room":"r","Note":"theirs"}"#),
        (#"{"Note":"mine"}"#, #"{"ID":1,"Room":"other","Note":"theirs"}"#),
        (#"{"Room":"mine"}"#, #"{"ID":1,"Room":"other","Note":"theirs"}"#),
    ])
    func isOneWhereSeenValuesChanged(_ body: String, _ entity: String) async throws {
        #expect(try await refusals(body, whileTheServiceHas: entity) == 1)
    }
}
