import ODataHTTP
import OfflineOData
import Testing

/// Reads that the service answers later (OData 4.01 Part 1 § 11.6), and preferences of the application's.
@Suite struct LateAnswerTests {
    private static let body = #"{"value":[{"ID":1}]}"#

    private static func accepted(_ headers: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = headers
        headers["Location"] = "http://service.test/odata/status/1"
        return HTTPResponse(status: 202, headers: headers)
    }

    private func opened(_ answers: HTTPResponse...) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", Self.accepted(["Retry-After": "1"]))
        switch answers.count {
        case 1: service.set("GET status/1", answers[0])
        default: service.set("GET status/1", answers[0], answers[1])
        }
        let provider = try await service.opened(["Orders"]) {
            $0.customHeaders = ["Prefer": "respond-async"]
            $0.retryPolicy.sleep = { _ in }
        }
        return (service, provider)
    }

    @Test func followsAReadThatIsAcceptedOnly() async throws {
        var result = RecordedService.json(Self.body)
        result.headers["AsyncResult"] = "200"
        let (service, provider) = try await opened(Self.accepted(), result)
        #expect(try await provider.executeQuery("Orders").count == 1)
        let first = service.log.first { $0.url.hasSuffix("Orders") }
        #expect(first?.headers["Prefer"] == "odata.track-changes,respond-async")
        #expect(service.requests.count { $0 == "GET status/1" } == 2)
    }

    /// Some services state the status beside the message too.
    @Test(arguments: [nil, "200"])
    func readsTheResultInAMessage(_ status: String?) async throws {
        let message =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(Self.body.utf8.count)\r\n\r\n"
            + Self.body
        var answer = HTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/http"],
            body: Array(message.utf8)
        )
        answer.headers["AsyncResult"] = status
        let (_, provider) = try await opened(answer)
        #expect(try await provider.executeQuery("Orders").count == 1)
    }

    @Test func reportsTheRefusalBehindAMonitor() async throws {
        var answer = RecordedService.json(#"{"error":{"code":"x","message":"no"}}"#)
        answer.headers["AsyncResult"] = "403"
        let error = await #expect(throws: OfflineODataError.self) { _ = try await opened(answer) }
        #expect(error?.httpStatus == 403)
    }

    @Test(arguments: [nil, "0", "86400"])
    func endsWhereTheResultNeverComes(_ retryAfter: String?) async throws {
        var headers = HTTPHeaders()
        headers["Retry-After"] = retryAfter
        let answer = Self.accepted(headers)
        let error = await #expect(throws: OfflineODataError.self) { _ = try await opened(answer) }
        #expect(error?.category == .communication)
    }

    /// What the monitor answers for itself says nothing of the entity.
    @Test(arguments: [404, 410, 500])
    func keepsAnEntityWhoseMonitorFails(_ status: Int) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1}"#), Self.accepted())
        service.set("GET status/1", HTTPResponse(status: status))
        let provider = try await service.opened(["Orders(1)"]) {
            $0.retryPolicy.sleep = { _ in }
        }
        let error = await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(error?.category == .communication)
        #expect(try await provider.executeQuery("Orders").count == 1)
    }
}
