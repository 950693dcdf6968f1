import ODataHTTP
import OfflineOData
import Testing

/// "Not found" that a gateway says as a page, without its service behind it (RFC 9110 § 15.5.5): it proves nothing of an entity.
@Suite struct GatewayPageTests {
    private static func page(_ type: String) -> HTTPResponse {
        HTTPResponse(
            status: 404,
            headers: ["Content-Type": type],
            body: Array("<p>not found</p>".utf8)
        )
    }

    /// A store with an entity that is deleted or changed here.
    private static func changed(_ method: String) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1,"Title":"a","Price":5}]}"#)
        )
        let provider = try await service.opened(["Orders"])
        let body = method == "DELETE" ? "" : #"{"Title":"mine"}"#
        try await provider.send(method, "Orders(1)", body)
        return (service, provider)
    }

    @Test(arguments: ["DELETE", "PATCH"], ["text/html; charset=utf-8", "text/plain"])
    func keepsAChangeWhereAGatewayAnswersForTheService(_ method: String, _ type: String)
        async throws
    {
        let (service, provider) = try await Self.changed(method)
        for request in ["GET $metadata", "POST $batch", "\(method) Orders(1)", "GET Orders(1)"] {
            service.set(request, Self.page(type))
        }
        for _ in 0..<2 {
            let error = try await #require(throws: OfflineODataError.self) {
                try await provider.upload()
            }
            #expect(error.category == .communication, "\(error)")
            #expect(try await provider.requestQueue().count == 1)
            #expect(try await provider.errorArchive().isEmpty)
        }

        service.set(
            "GET $metadata",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/xml"],
                body: Array(TalkModel.document.utf8)
            )
        )
        service.set("GET Orders(1)", RecordedService.json(#"{"ID":1,"Title":"a","Price":5}"#))
        service.set("\(method) Orders(1)", HTTPResponse(status: 204))
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.requests.contains("\(method) Orders(1)"), "\(service.requests)")
    }

    /// Some services say it as a page themselves; then their collections show it, too.
    @Test func takesAPageOfAServiceThatIsThere() async throws {
        let (service, provider) = try await Self.changed("DELETE")
        service.set("POST $batch", Self.page("text/html"))
        service.set("DELETE Orders(1)", Self.page("text/html"))
        service.set("GET Orders?$filter=ID%20eq%201", RecordedService.json(#"{"value":[]}"#))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// A gateway that refuses the URL alone, as many do with an encoded slash: the service has the entity.
    @Test(arguments: ["DELETE", "PATCH"], [#"{"value":[{"ID":1}]}"#, #"{"ID":1}"#, nil])
    func doubtsAPageAboutAnEntityThatTheServiceHas(_ method: String, _ shown: String?)
        async throws
    {
        let (service, provider) = try await Self.changed(method)
        service.set("POST $batch", HTTPResponse(status: 501))
        for request in ["\(method) Orders(1)", "GET Orders(1)"] {
            service.set(request, Self.page("text/html"))
        }
        service.set(
            "GET Orders?$filter=ID%20eq%201",
            shown.map { RecordedService.json($0) } ?? HTTPResponse(status: 501)
        )
        #expect(try await provider.upload().failedCount == 1)
        let refused = try #require(try await provider.errorArchive().first?.failure)
        #expect(refused.httpStatus == 404)
        #expect(refused.message.contains("the collection does not show that the entity is gone"))
    }

    /// A change set is refused, and the deleted entity is looked for at its own URL.
    @Test(arguments: [(#"{"value":[{"ID":1}]}"#, 2), (#"{"value":[]}"#, 0)])
    func doubtsAPageAboutAnEntityOfAChangeSet(_ shown: String, _ refused: Int) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        let page = #"{"value":[{"ID":1,"Title":"a"},{"ID":2,"Title":"b"}]}"#
        service.set("GET Orders", RecordedService.json(page))
        let provider = try await service.opened(["Orders"])
        let options = OfflineODataRequestOptions()
        options.transactionID = "t"
        for (method, url, body) in [
            ("DELETE", "Orders(1)", ""), ("PATCH", "Orders(2)", #"{"Title":"mine"}"#),
        ] {
            let request = HTTPRequest(
                method: method,
                url: url,
                headers: ["Content-Type": "application/json"],
                body: Array(body.utf8)
            )
            try #require(await provider.respond(to: request, options: options).isSuccess)
        }
        func answer(_ status: String) -> HTTPResponse {
            let part = "Content-Type: application/http\r\n\r\nHTTP/1.1 \(status)\r\n\r\n"
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array("--r\r\n\(part)\r\n--r--".utf8)
            )
        }
        service.set("POST $batch", answer("404 Not Found"), answer("204 No Content"))
        service.set("PATCH Orders(2)", HTTPResponse(status: 204))
        service.set("GET Orders(1)", Self.page("text/html"))
        service.set("GET Orders?$filter=ID%20eq%201", RecordedService.json(shown))
        service.set("GET Orders?$top=1", RecordedService.json(page))
        let result = try await provider.upload()
        #expect(result.failedCount == refused)
        #expect(try await provider.errorArchive().count == refused)
    }

    /// A session that has ended: the page of a logon service comes to everything, and nobody has looked at the changes.
    @Test(arguments: [1, 2], [true, false])
    func keepsNewEntitiesWaitingBehindALogonPage(_ count: Int, _ isEverything: Bool) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"])
        for number in 1...count {
            try await provider.send("POST", "Orders", "{\"Title\":\"\(number)\"}")
        }
        if count == 1 { service.set("POST $batch", HTTPResponse(status: 404)) }
        let page = HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/html"],
            body: Array("<form>Name and password</form>".utf8)
        )
        service.set(count == 1 ? "POST Orders" : "POST $batch", page)
        if isEverything { service.set("GET $metadata", page) }
        let error = await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        let statuses = Set(try await provider.requestQueue().map(\.status))
        #expect(isEverything == (statuses == [.pending]), "\(statuses) \(error?.message ?? "")")
        #expect((error?.httpStatus == 401) == isEverything)
    }
}
