import ODataHTTP
import OfflineOData
import Testing

/// Changes that the service accepts and works at (202, OData 4.01 Part 1 § 11.6), by whoever goes on after a cut.
@Suite struct AcceptedRequestTests {
    private let clock = VirtualClock()
    private static let running = HTTPResponse(
        status: 202,
        headers: ["Location": "monitor", "Retry-After": "1"]
    )

    /// A store with changes that the service has accepted; it was asked for the answer until the time was up.
    private func accepted(_ request: String, isBatching: Bool) async throws
        -> (RecordedService, OfflineODataProvider)
    {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"]) { [clock] in
            $0.retryPolicy = clock.policy
        }
        for number in 1...(isBatching ? 2 : 1) {
            try await provider.send("POST", "Orders", "{\"ID\":\(number),\"Title\":\"t\"}")
        }
        if !isBatching { service.set("POST $batch", HTTPResponse(status: 404)) }
        service.set(request, Self.running)
        service.set("GET monitor", Self.running)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(try await provider.requestQueue().allSatisfy { $0.status == .sending })
        service.clearLog()
        return (service, provider)
    }

    @Test(arguments: [201, 200]) func asksTheMonitorAgainAndSendsNothingTwice(_ status: Int)
        async throws
    {
        let (service, provider) = try await accepted("POST Orders", isBatching: false)
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        #expect(Set(service.requests) == ["GET monitor"])
        service.clearLog()
        let created = #"{"ID":1,"Title":"t"}"#
        let answer =
            status == 200
            ? HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/http"],
                body: Array(
                    "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: \(created.utf8.count)\r\n\r\n\(created)"
                        .utf8
                )
            )
            : HTTPResponse(
                status: 201,
                headers: ["AsyncResult": "201", "Content-Type": "application/json"],
                body: Array(created.utf8)
            )
        service.set("GET monitor", answer)
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.requests == ["GET monitor"])
        #expect(try await provider.requestQueue().isEmpty)
    }

    @Test func asksTheMonitorOfABatch() async throws {
        let (service, provider) = try await accepted("POST $batch", isBatching: true)
        let parts = (1...2).map { number in
            let body = "{\"ID\":\(number),\"Title\":\"t\"}"
            return
                "--b\r\nContent-Type: application/http\r\nContent-ID: \(number)\r\n\r\n"
                + (number == 1
                    ? "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n\(body)\r\n"
                    : "HTTP/1.1 400 Bad\r\n\r\n\r\n")
        }
        service.set(
            "GET monitor",
            HTTPResponse(
                status: 200,
                headers: ["AsyncResult": "200", "Content-Type": "multipart/mixed;boundary=b"],
                body: Array((parts.joined() + "--b--\r\n").utf8)
            )
        )
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == [1, 1])
        #expect(service.requests.first == "GET monitor")
        #expect(service.requests.allSatisfy { $0.hasPrefix("GET") })
        #expect(service.requests.count { $0 == "GET monitor" } == 1)
        #expect(try await provider.errorArchive().map(\.id) == [2])
    }

    /// A service that knows nothing of it any more is looked at, as after any lost answer.
    @Test(arguments: [404, 410]) func looksForWhatAGoneMonitorDoesNotTell(_ status: Int)
        async throws
    {
        let (service, provider) = try await accepted("POST Orders", isBatching: false)
        service.set("GET monitor", HTTPResponse(status: status))
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1,"Title":"t"}"#))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.requests == ["GET monitor", "GET Orders(1)"])
    }

    /// A batch that was refused unseen waits again.
    @Test func sendsAgainWhatTheMonitorSaysWasNotLookedAt() async throws {
        let (service, provider) = try await accepted("POST $batch", isBatching: true)
        service.set(
            "GET monitor",
            HTTPResponse(status: 200, headers: ["AsyncResult": "404"])
        )
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders", HTTPResponse(status: 201, headers: ["Location": "Orders(1)"]))
        _ = try? await provider.upload()
        #expect(service.requests.first == "GET monitor")
        #expect(service.requests.contains("POST Orders"))
    }

    // MARK: Where it is asked for

    /// A change whose own fields ask for a late answer says so on the wire, and the result is had from the monitor.
    @Test(arguments: ["POST", "PATCH", "PUT", "DELETE"])
    func asksForALateAnswerWhereTheApplicationDoes(_ method: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"@odata.etag":"W/\"1\"","ID":1,"Title":"a"}]}"#)
        )
        let provider = try await service.opened(["Orders"]) { [clock] in
            $0.retryPolicy = clock.policy
        }
        let isNew = method == "POST"
        var request = HTTPRequest(method: method, url: isNew ? "Orders" : "Orders(1)")
        if method != "DELETE" {
            request.headers["Content-Type"] = "application/json"
            request.body = Array((isNew ? #"{"ID":2,"Title":"b"}"# : #"{"Title":"b"}"#).utf8)
        }
        let options = OfflineODataRequestOptions()
        options.customHeaders = ["Prefer": "respond-async"]
        #expect(await provider.respond(to: request, options: options).isSuccess)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("\(method) \(request.url)", Self.running)
        let done =
            isNew
            ? HTTPResponse(
                status: 200,
                headers: ["AsyncResult": "201", "Content-Type": "application/json"],
                body: Array(#"{"@odata.etag":"W/\"2\"","ID":2,"Title":"b"}"#.utf8)
            )
            : HTTPResponse(
                status: 200,
                headers: ["AsyncResult": "204", "ETag": "W/\"2\""]
            )
        service.set("GET monitor", [Self.running, done])
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 1)
        let sent = try #require(
            service.log.first { $0.method == method && !$0.url.hasSuffix("$batch") }
        )
        #expect(sent.headers["Prefer"]?.contains("respond-async") == true)
        #expect(
            service.requests.filter { $0 != "POST $batch" }
                == ["\(method) \(request.url)", "GET monitor", "GET monitor"]
        )
        #expect(try await provider.requestQueue().isEmpty)
    }

    /// Asked for of the whole service, the batch asks for it.
    @Test func asksForTheLateAnswerOfABatch() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"]) { [clock] in
            $0.retryPolicy = clock.policy
            $0.customHeaders = ["Prefer": "respond-async"]
        }
        for key in 1...2 { try await provider.send("POST", "Orders", "{\"ID\":\(key)}") }
        service.set("POST $batch", Self.running)
        let parts = (1...2).map {
            "--b\r\nContent-Type: application/http\r\nContent-ID: \($0)\r\n\r\nHTTP/1.1 201 Created\r\n"
                + "Content-Type: application/json\r\n\r\n{\"ID\":\($0)}\r\n"
        }
        service.set(
            "GET monitor",
            HTTPResponse(
                status: 200,
                headers: ["AsyncResult": "200", "Content-Type": "multipart/mixed;boundary=b"],
                body: Array((parts.joined() + "--b--\r\n").utf8)
            )
        )
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 2)
        #expect(service.requests == ["POST $batch", "GET monitor"])
        #expect(service.log[0].headers["Prefer"]?.contains("respond-async") == true)
    }
}
