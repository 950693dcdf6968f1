import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// Answers to changes that are successes by their status and do not say that the change was carried out.
@Suite struct UnsaidResultTests {
    private static let page = HTTPResponse(
        status: 200,
        headers: ["Content-Type": "text/html; charset=utf-8"],
        body: Array("<html>Log on</html>".utf8)
    )

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Orders"]) {
            $0.retryPolicy = VirtualClock().policy
        }
        return (service, provider)
    }

    private func send(_ method: String, _ provider: OfflineODataProvider) async {
        let request = HTTPRequest(
            method: method,
            url: method == "POST" ? "Orders" : "Orders(1)",
            headers: ["Content-Type": "application/json"],
            body: method == "DELETE" ? [] : Array(#"{"Title":"mine"}"#.utf8)
        )
        #expect((200..<300).contains(await provider.respond(to: request).status))
    }

    private static let methods = ["POST", "PATCH", "PUT", "DELETE"]

    /// A logon page in the place of the service: the change waits, and the next upload finds out about it.
    @Test(arguments: methods)
    func takesAWebPageForNoResult(_ method: String) async throws {
        let (service, provider) = try await opened()
        await send(method, provider)
        let url = method == "POST" ? "POST Orders" : "\(method) Orders(1)"
        service.set(url, Self.page, HTTPResponse(status: 204))
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(try await provider.requestQueue().count == 1)
        guard method != "POST" else { return }
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1,"Title":"a"}"#))
        try await provider.upload()
        #expect(service.requests.count { $0 == url } == 2)
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// An accepted change without a monitor is not a completed one.
    @Test(arguments: methods)
    func takesAcceptanceWithoutMonitorForNoResult(_ method: String) async throws {
        let (service, provider) = try await opened()
        await send(method, provider)
        let url = method == "POST" ? "POST Orders" : "\(method) Orders(1)"
        service.set(url, HTTPResponse(status: 202), HTTPResponse(status: 204))
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1,"Title":"a"}"#))
        let result = try await provider.upload()
        let isCreation = method == "POST"
        #expect(service.requests.count { $0 == url } == (isCreation ? 1 : 2))
        #expect([result.succeededCount, result.unknownCount] == (isCreation ? [0, 1] : [1, 0]))
    }

    /// A service may carry out later what it has accepted: a second creation would make a second entity.
    @Test func doesNotRepeatAnAcceptedCreationThatIsNotThereYet() async throws {
        let (service, provider) = try await opened()
        let request = HTTPRequest(
            method: "POST",
            url: "Orders",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":7,"Title":"mine"}"#.utf8)
        )
        #expect(await provider.respond(to: request).status == 201)
        service.set("POST Orders", HTTPResponse(status: 202), HTTPResponse(status: 204))
        service.set("GET Orders(7)", HTTPResponse(status: 404))
        service.set(
            "GET Orders?$filter=Title%20eq%20%27mine%27&$top=1",
            RecordedService.json(#"{"value":[]}"#)
        )
        #expect(try await provider.upload().unknownCount == 1)
        #expect(service.requests.count { $0 == "POST Orders" } == 1)
        #expect(try await provider.requestQueue().map(\.status) == [.unknownOutcome])
    }

    /// A monitor that cannot be reached: the change itself was sent, and is not sent again without a look.
    @Test func looksBeforeItSendsAgainBehindAMonitor() async throws {
        let (service, provider) = try await opened()
        await send("PATCH", provider)
        service.set(
            "PATCH Orders(1)",
            HTTPResponse(status: 202, headers: ["Location": "http://service.test/odata/monitor"]),
            HTTPResponse(status: 204)
        )
        service.set("GET monitor", HTTPResponse(status: 0))
        service.set(
            "GET Orders(1)",
            RecordedService.json(#"{"ID":1,"Title":"mine"}"#)
        )
        await #expect(throws: (any Error).self) { try await provider.upload() }
        // It is asked first as long as nobody says that it is gone.
        await #expect(throws: (any Error).self) { try await provider.upload() }
        service.set("GET monitor", HTTPResponse(status: 410))
        try await provider.upload()
        #expect(service.requests.count { $0 == "PATCH Orders(1)" } == 1)
        #expect(try await provider.requestQueueIsEmpty())
    }
}
