import OfflineOData
import OfflineStore
import ODataHTTP
import Testing

/// Uploads to a service whose answers are written here, byte by byte.
@Suite struct UploadTests {
    private func opened(
        _ orders: String = #"{"ID":1,"Title":"a","@odata.etag":"W/\"1\""},{"ID":2,"Title":"b"}"#,
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json("{\"value\":[\(orders)]}"))
        let provider = try await service.opened(["Orders"], change)
        service.clearLog()
        return (service, provider)
    }

    private func retitle(_ provider: OfflineODataProvider, _ key: Int, _ title: String) async throws
    {
        var order = try #require(try await provider.executeQuery("Orders(\(key))").first)
        order["Title"] = .string(title)
        try await provider.updateEntity(order)
    }

    private func batch(_ parts: [String]) -> HTTPResponse {
        let body =
            parts.map {
                "--r\r\nContent-Type: application/http\r\n\r\n\($0)\r\n"
            }.joined() + "--r--"
        return HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed; boundary=r"],
            body: Array(body.utf8)
        )
    }

    /// What becomes of one request by the status of its answer.
    @Test(arguments: [
        (204, "", "done"), (400, "{\"error\":{\"code\":\"c\",\"message\":\"m\"}}", "archived"),
        (403, "", "archived"), (409, "", "archived"), (412, "", "archived"),
        (422, "", "archived"), (428, "", "archived"), (404, "", "archived"), (410, "", "archived"),
        (424, "", "parked"), (401, "", "pending"), (408, "", "pending"), (425, "", "pending"),
        (429, "", "pending"), (500, "{\"error\":{\"code\":\"c\",\"message\":\"m\"}}", "archived"),
        (501, "{\"error\":{\"code\":\"c\",\"message\":\"m\"}}", "archived"),
        (500, "", "sending"), (502, "", "sending"), (503, "", "sending"), (504, "", "sending"),
    ])
    func understandsAnswers(_ status: Int, _ body: String, _ fate: String) async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x")
        service.set("PATCH Orders(1)", RecordedService.json(body, status: status))
        // A read of the entity tells no more than before.
        service.set("GET Orders(1)", HTTPResponse(status: 503))
        _ = try? await provider.upload()
        let queue = try await provider.requestQueue().map(\.status.rawValue)
        let archive = try await provider.errorArchive().map(\.failure?.httpStatus)
        switch fate {
        case "done": #expect(queue.isEmpty && archive.isEmpty)
        case "archived": #expect(queue.isEmpty && archive == [status])
        default: #expect(queue == [fate] && archive.isEmpty)
        }
    }

    @Test func readsAnETagThatAnAnswerDidNotTell() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x")
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        try await provider.upload()
        try await retitle(provider, 1, "y")
        service.set(
            "GET Orders(1)",
            RecordedService.json(#"{"@odata.etag":"W/\"2\"","ID":1,"Title":"x","Note":null}"#)
        )
        try await provider.upload()
        #expect(service.log.last?.headers["If-Match"] == "W/\"2\"")
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// A service may give both ends of a link new ETags, and the answer tells none.
    @Test func readsTheETagsOfWhatALinkHasChanged() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let order = #""ID":1,"Title":"a","Note":null"#
        let item = #""ID":10,"Name":"i""#
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"W/\"1\"",\#(order),"Items":[]},{"ID":2,"Items":[{"@odata.etag":"W/\"1\"",\#(item)}]}]}"#
            )
        )
        let provider = try await service.opened(["Orders?$expand=Items"])
        let link = HTTPRequest(
            method: "POST",
            url: "Orders(1)/Items/$ref",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"@odata.id":"Items(10)"}"#.utf8)
        )
        #expect(await provider.respond(to: link).status == 204)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders(1)/Items/$ref", HTTPResponse(status: 204))
        try await provider.upload()
        try await retitle(provider, 1, "b")
        var changed = try #require(try await provider.executeQuery("Items(10)").first)
        changed["Name"] = "j"
        try await provider.updateEntity(changed)
        service.set("GET Orders(1)", RecordedService.json(#"{"@odata.etag":"W/\"2\"",\#(order)}"#))
        service.set("GET Items(10)", RecordedService.json(#"{"@odata.etag":"W/\"3\"",\#(item)}"#))
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        service.set("PATCH Items(10)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 2)
        let sent = service.log.suffix(4).map { $0.headers["If-Match"] ?? "" }
        #expect(Set(sent) == ["", #"W/"2""#, #"W/"3""#])
    }

    @Test func meetsAConflictWhereSomebodyElseChangedTheEntityMeanwhile() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x")
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        try await provider.upload()
        try await retitle(provider, 1, "y")
        service.set(
            "GET Orders(1)",
            RecordedService.json(#"{"@odata.etag":"W/\"3\"","ID":1,"Title":"theirs"}"#)
        )
        service.clearLog()
        try await provider.upload()
        #expect(service.requests == ["GET Orders(1)"])
        #expect(try await provider.errorArchive().map(\.failure?.httpStatus) == [412])
        #expect(try await provider.versions(of: "Orders(1)").server?.contains("theirs") == true)
    }

    @Test func takesTheETagOfAnAnswer() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x")
        service.set(
            "PATCH Orders(1)",
            RecordedService.json(#"{"@odata.etag":"W/\"9\"","ID":1,"Title":"x"}"#)
        )
        try await provider.upload()
        try await retitle(provider, 1, "y")
        try await provider.upload()
        #expect(service.log.last?.headers["If-Match"] == "W/\"9\"")
    }

    @Test func splitsABatchThatIsTooLarge() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x")
        try await retitle(provider, 2, "y")
        service.set(
            "POST $batch",
            HTTPResponse(status: 413),
            batch(["HTTP/1.1 204 No Content\r\n\r\n"]),
            batch(["HTTP/1.1 204 No Content\r\n\r\n"])
        )
        #expect(try await provider.upload().succeededCount == 2)
        #expect(
            service.bodies(of: "POST $batch").map { $0.components(of: "PATCH Orders") } == [
                2, 1, 1,
            ]
        )
    }

    @Test func sendsNoMoreBytesThanABatchMayHave() async throws {
        let (service, provider) = try await opened { $0.maximumUploadBatchBytes = 20 }
        try await retitle(provider, 1, "x")
        try await retitle(provider, 2, "y")
        let done = batch(["HTTP/1.1 204 No Content\r\n\r\n"])
        service.set("POST $batch", done, done)
        #expect(try await provider.upload().succeededCount == 2)
        #expect(
            service.bodies(of: "POST $batch").map { $0.components(of: "PATCH Orders") } == [1, 1]
        )
    }

    @Test func waitsAsLongAsTheServiceWants() async throws {
        let waits = DownloadTests.Waits()
        let (service, provider) = try await opened { parameters in
            parameters.retryPolicy = OfflineODataRetryPolicy()
            parameters.retryPolicy.sleep = { waits.add($0) }
        }
        try await retitle(provider, 1, "x")
        service.set(
            "POST $batch",
            HTTPResponse(status: 429, headers: ["Retry-After": "3"]),
            batch(["HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\n\r\n"]),
            batch(["HTTP/1.1 204 No Content\r\n\r\n"])
        )
        #expect(try await provider.upload().succeededCount == 1)
        #expect(waits.all == [.seconds(3), .seconds(5)])
    }

    @Test func followsAnAnswerThatComesLater() async throws {
        let waits = DownloadTests.Waits()
        let (service, provider) = try await opened { $0.retryPolicy.sleep = { waits.add($0) } }
        try await retitle(provider, 1, "x")
        service.set(
            "PATCH Orders(1)",
            HTTPResponse(status: 202, headers: ["Location": "monitor/1", "Retry-After": "2"])
        )
        let inner =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"ID\":1,\"Title\":\"x\",\"@odata.etag\":\"W/\\\"5\\\"\"}"
        service.set(
            "GET monitor/1",
            HTTPResponse(status: 202, headers: ["Location": "1"]),
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/http"],
                body: Array(inner.utf8)
            )
        )
        #expect(try await provider.upload().succeededCount == 1)
        #expect(waits.all.first == .seconds(2))
        try await retitle(provider, 1, "z")
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.log.last?.headers["If-Match"] == "W/\"5\"")
    }

    @Test func sendsAChangeSetAgainWithoutADeleteOfWhatIsGone() async throws {
        let (service, provider) = try await opened()
        for index in 0..<2 {
            let options = OfflineODataRequestOptions()
            options.transactionID = "t"
            if index == 0 {
                var order = try #require(try await provider.executeQuery("Orders(1)").first)
                order["Title"] = "x"
                try await provider.updateEntity(order, options: options)
            } else {
                let order = try #require(try await provider.executeQuery("Orders(2)").first)
                try await provider.deleteEntity(order, options: options)
            }
        }
        let set =
            "--r\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n"
            + "Content-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--c--\r\n--r--"
        service.set(
            "POST $batch",
            batch(["HTTP/1.1 404 Not Found\r\n\r\n"]),
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(set.utf8)
            )
        )
        service.set("GET Orders?$top=1", RecordedService.json(#"{"value":[]}"#))
        #expect(try await provider.upload().succeededCount == 2)
        let bodies = service.bodies(of: "POST $batch")
        #expect(bodies.map { $0.components(of: "DELETE Orders(2)") } == [1, 0])
        #expect(bodies.map { $0.components(of: "PATCH Orders(1)") } == [1, 1])
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func sendsAMemberAgainUnderItsIdentity() async throws {
        let (service, provider) = try await opened { $0.enableRepeatableRequests = true }
        try await provider.createEntity(EntityValue(entitySet: "Orders", ["Title": "new"]))
        let created =
            "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n"
            + "Repeatability-Result: accepted\r\n\r\n{\"ID\":5,\"Title\":\"new\"}"
        service.set("POST $batch", RecordedService.lost, batch([created]))
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        try await provider.upload()
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.executeQuery("Orders(5)").count == 1)
        let ids = service.bodies(of: "POST $batch").map { body in
            body.split(separator: "\r\n").filter { $0.hasPrefix("Repeatability-") }
        }
        #expect(ids.count == 2)
        #expect(ids[0].count == 2)
        #expect(ids[0] == ids[1])
        #expect(service.log.allSatisfy { $0.headers["Repeatability-Request-ID"] == nil })
    }

    @Test func doesNotTakeARejectedRepetitionForAConflict() async throws {
        let (service, provider) = try await opened { $0.enableRepeatableRequests = true }
        try await provider.createEntity(EntityValue(entitySet: "Orders", ["Title": "new"]))
        let rejected = "HTTP/1.1 412 Precondition Failed\r\nRepeatability-Result: rejected\r\n\r\n"
        service.set("POST $batch", RecordedService.lost, batch([rejected]))
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        try await provider.upload()
        #expect(try await provider.requestQueue().map(\.status) == [.unknownOutcome])
        #expect(try await provider.errorArchive().isEmpty)
    }

    @Test func readsAnswersByTheirNames() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x")
        try await retitle(provider, 2, "y")
        // The second request's answer alone came whole.
        let body =
            "--r\r\nContent-Type: application/http\r\nContent-ID: 2\r\n\r\n"
            + "HTTP/1.1 400 Bad Request\r\n\r\n\r\n--r\r\n"
        service.set(
            "POST $batch",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(body.utf8)
            )
        )
        service.set("GET Orders(1)", HTTPResponse(status: 503))
        _ = try? await provider.upload()
        #expect(try await provider.errorArchive().map(\.url) == ["Orders(2)"])
        #expect(try await provider.requestQueue().map(\.status) == [.sending])
    }

    @Test func takesValuesOfAnswersWhereTold() async throws {
        let (service, provider) = try await opened { $0.appliesUploadResponses = true }
        try await retitle(provider, 2, "x")
        service.set(
            "PATCH Orders(2)",
            RecordedService.json(#"{"ID":2,"Title":"X","Note":"computed"}"#)
        )
        try await provider.upload()
        let order = try #require(try await provider.executeQuery("Orders(2)").first)
        #expect(order["Title"]?.stringValue == "X")
        #expect(order["Note"]?.stringValue == "computed")
    }

    @Test(arguments: ["Ada", "4711", "1e5"])
    func uploadsBeforeAnotherUserOpensTheStore(_ user: String) async throws {
        let (service, provider) = try await opened { $0.currentUser = user }
        try await retitle(provider, 2, "hers")
        let next = try service.provider { parameters in
            parameters.currentUser = "Bo"
            parameters.forceUploadOnUserSwitch = true
        }
        service.set("POST $batch", HTTPResponse(status: 401))
        await #expect(throws: OfflineODataError.self) { try await next.open() }
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Orders(2)", HTTPResponse(status: 204))
        try await next.open()
        #expect(try await next.requestQueueIsEmpty())
        service.clearLog()
        try await next.open()
        #expect(service.requests.isEmpty)
    }

    @Test func tellsProgressAsASequence() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 2, "x")
        service.set("PATCH Orders(2)", HTTPResponse(status: 204))
        let updates = provider.progressUpdates()
        try await provider.upload()
        var iterator = updates.makeAsyncIterator()
        let last = try #require(await iterator.next())
        #expect(last.step == .finished)
        #expect(last.stepNumber == last.stepCount)
        #expect(last.answeredRequestCount == 1)
        #expect(last.requestCount == 1)
    }
}
