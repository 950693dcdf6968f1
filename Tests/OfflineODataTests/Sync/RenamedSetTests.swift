import ODataHTTP
import OfflineOData
import Testing

/// The service answers "not found" for every entity of a set that it has no more: that says nothing of the entities.
@Suite struct RenamedSetTests {
    private static let missing = RecordedService.json(
        #"{"error":{"code":"404","message":"Resource not found for the segment 'Shifts'."}}"#,
        status: 404
    )

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(
            metadata: """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="Shift"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Note" Type="Edm.String"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Shifts" EntityType="S.Shift"/></EntityContainer>
                </Schema></edmx:DataServices></edmx:Edmx>
                """
        )
        service.set(
            "GET Shifts",
            RecordedService.json(
                #"{"value":[{"ID":1,"Note":"a"},{"ID":2,"Note":"b"}],"@odata.deltaLink":"d1"}"#
            )
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Shifts"])
        for id in [1, 2] { service.set("DELETE Shifts(\(id))", Self.missing) }
        return (service, provider)
    }

    @Test func refusesDeletions() async throws {
        let (service, provider) = try await opened()
        service.set("GET Shifts?$top=1", Self.missing)
        for id in [1, 2] { try await provider.send("DELETE", "Shifts(\(id))") }
        try await provider.upload()
        let refused = try await provider.errorArchive()
        #expect(refused.map { $0.failure?.httpStatus } == [404, 404])
        #expect(refused.allSatisfy { $0.failure?.message.contains("entity set itself") == true })
        // The set is asked for once.
        #expect(service.requests.filter { $0 == "GET Shifts?$top=1" }.count == 1)
    }

    /// What others have deleted is gone, as it was to be; a service that does not let its set be read is believed.
    @Test(arguments: [RecordedService.json(#"{"value":[]}"#), HTTPResponse(status: 405)])
    func takesDeletionsAsCarriedOutWhereTheSetIsThere(_ set: HTTPResponse) async throws {
        let (service, provider) = try await opened()
        service.set("GET Shifts?$top=1", set)
        try await provider.send("DELETE", "Shifts(1)")
        try await provider.upload()
        #expect(try await provider.errorArchive().isEmpty)
        #expect(try await provider.requestQueue().isEmpty)
    }
}
