import ODataHTTP
import OfflineOData
import Testing

/// A singleton that may be null is deleted here as at the service.
@Suite struct NullableSingletonTests {
    private static let model = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Notice"><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><Singleton Name="Board" Type="S.Notice" Nullable="true"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.model)
        service.set("GET Board", RecordedService.json(#"{"@odata.etag":"\"1\"","Text":"a"}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, try await service.opened(["Board"]))
    }

    private func read(_ provider: OfflineODataProvider) async -> Int {
        await provider.respond(to: HTTPRequest(method: "GET", url: "Board")).status
    }

    @Test func isDeletedAndComesBackByUndo() async throws {
        let (_, provider) = try await opened()
        try await provider.send("DELETE", "Board")
        #expect(await read(provider) == 204)
        try await provider.undoAllPendingChanges()
        #expect(await read(provider) == 200)
    }

    @Test func isDeletedAtTheService() async throws {
        let (service, provider) = try await opened()
        try await provider.send("DELETE", "Board")
        service.set("DELETE Board", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.log.last?.headers["If-Match"] == "\"1\"")
        #expect(try await provider.requestQueue().isEmpty)
        service.set("GET Board", HTTPResponse(status: 204))
        try await provider.download()
        #expect(await read(provider) == 204)
    }
}
