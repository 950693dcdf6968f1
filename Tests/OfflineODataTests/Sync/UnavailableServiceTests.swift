import ODataHTTP
import OfflineOData
import Testing

/// A service that is not available for a while: what it has not handled waits, and what may have been carried out is never sent again
/// unasked (RFC 9110 §§ 15.6.3 to 15.6.5; RFC 6585 § 4).
@Suite struct UnavailableServiceTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Tag"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false">
        <Annotation Term="Org.OData.Core.V1.Computed"/></Property><Property Name="T" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Tags" EntityType="S.Tag"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func batch(_ parts: String...) -> HTTPResponse {
        let body = parts.map { part in
            "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n\(part)\r\n"
        }
        return HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed;boundary=b"],
            body: Array((body.joined() + "--b--").utf8)
        )
    }

    private static func created(_ id: Int) -> String {
        let body = "{\"ID\":\(id),\"T\":\"t\"}"
        return
            "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// A store with two creations.
    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Tags", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Tags"])
        for text in ["a", "b"] {
            let request = HTTPRequest(
                method: "POST",
                url: "Tags",
                headers: ["Content-Type": "application/json"],
                body: Array("{\"T\":\"\(text)\"}".utf8)
            )
            #expect(await provider.respond(to: request).isSuccess)
        }
        return (service, provider)
    }

    private static func busy(_ status: Int, _ retryAfter: String?) -> HTTPResponse {
        var answer = HTTPResponse(status: status)
        answer.headers["Retry-After"] = retryAfter
        return answer
    }

    private static let cases: [(Int, String?, isHandled: Bool)] = [
        (429, nil, false), (429, "0", false), (503, "1", false), (503, nil, true), (502, nil, true),
        (502, "1", true), (504, "1", true),
    ]

    /// The whole batch is answered so.
    @Test(arguments: cases)
    func keepsWhatWasNotHandled(_ status: Int, _ retryAfter: String?, isHandled: Bool) async throws
    {
        let (service, provider) = try await opened()
        service.set("POST $batch", Self.busy(status, retryAfter))
        let error = try await #require(throws: OfflineODataError.self) {
            try await provider.upload()
        }
        #expect(error.category == .communication)
        let saysUnknown = error.message.contains("whether it was carried out is not known")
        #expect(saysUnknown == isHandled, "\(error)")
        #expect(error.upload?.waitingCount == 2)
        #expect(error.upload?.succeededCount == 0)
        service.set("POST $batch", Self.batch(Self.created(1), Self.created(2)))
        let result = try await provider.upload()
        #expect(result.succeededCount == (isHandled ? 0 : 2))
        #expect(result.unknownCount == (isHandled ? 2 : 0))
        #expect(service.bodies(of: "POST $batch").count == (isHandled ? 1 : 2))
    }

    /// One part of a batch is answered so, the other is carried out.
    @Test func keepsAPartThatWasNotHandled() async throws {
        let (service, provider) = try await opened()
        let busy = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n\r\n"
        service.set("POST $batch", Self.batch(Self.created(1), busy))
        let error = try await #require(throws: OfflineODataError.self) {
            try await provider.upload()
        }
        #expect(error.upload?.succeededCount == 1)
        #expect(error.upload?.waitingCount == 1)
        service.set("POST $batch", Self.batch(Self.created(2)))
        service.set("POST Tags", RecordedService.json(#"{"ID":2,"T":"b"}"#, status: 201))
        let result = try await provider.upload()
        #expect(result.succeededCount == 1)
        #expect(try await provider.requestQueueIsEmpty())
    }
}
