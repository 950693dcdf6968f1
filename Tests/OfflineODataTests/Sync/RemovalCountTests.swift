import ODataHTTP
import OfflineOData
import Testing

/// A download counts every entity that it removes, also those that no query holds.
@Suite struct RemovalCountTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Tag"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="T" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Tags" EntityType="S.Tag"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let high = "Tags?$filter=ID ge 2"
    private static let low = "Tags?$filter=ID lt 2"

    private static func page(_ ids: Int...) -> HTTPResponse {
        let items = ids.map { "{\"ID\":\($0),\"T\":\"t\"}" }
        return RecordedService.json("{\"value\":[\(items.joined(separator: ","))]}")
    }

    private func set(_ service: RecordedService, _ query: String, _ page: HTTPResponse) {
        service.set("GET " + query.replacing(" ", with: "%20"), page)
    }

    private func send(
        _ method: String,
        _ url: String,
        _ body: String,
        to provider: OfflineODataProvider
    ) async {
        let request = HTTPRequest(
            method: method,
            url: url,
            headers: ["Content-Type": "application/json"],
            body: Array(body.utf8)
        )
        #expect(await provider.respond(to: request).isSuccess)
    }

    private func opened(_ queries: [String]) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: Self.metadata)
        set(service, Self.high, Self.page(2, 3))
        set(service, Self.low, Self.page(1))
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, try await service.opened(queries))
    }

    /// The query that held an entity is gone; its uploaded change has kept the entity until everything has come.
    @Test func countsWhatNoQueryHolds() async throws {
        let (service, provider) = try await opened([Self.low, Self.high])
        await send("PATCH", "Tags(3)", #"{"T":"x"}"#, to: provider)
        service.set("GET Tags(3)", RecordedService.json(#"{"ID":3,"T":"t"}"#))
        service.set("PATCH Tags(3)", HTTPResponse(status: 204))
        try await provider.upload()
        try await provider.removeDefiningQuery(named: "Q1")
        #expect(try await provider.download().removedCount == 1)
        #expect(try await provider.download().removedCount == 0)
    }

    /// Entities that were changed or created here, and are deleted at the service after the upload.
    @Test func countsWhatWasDeletedAfterAnUpload() async throws {
        let (service, provider) = try await opened([Self.high])
        await send("PATCH", "Tags(2)", #"{"T":"x"}"#, to: provider)
        await send("POST", "Tags", #"{"ID":7,"T":"n"}"#, to: provider)
        service.set("GET Tags(2)", RecordedService.json(#"{"ID":2,"T":"t"}"#))
        service.set("PATCH Tags(2)", HTTPResponse(status: 204))
        service.set("POST Tags", RecordedService.json(#"{"ID":7,"T":"n"}"#, status: 201))
        try await provider.upload()
        set(service, Self.high, Self.page(3))
        #expect(try await provider.download().removedCount == 2)
    }
}
