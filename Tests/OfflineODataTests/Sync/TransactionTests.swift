import ODataHTTP
import OfflineOData
import Testing

/// What is to take effect together goes together, or not at all and with the reason.
@Suite struct TransactionTests {
    private func opened(
        _ count: Int = 3,
        metadata: String = ShopModel.v4(),
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: metadata)
        let rows = (1...count).map {
            "{\"@odata.etag\":\"W/\\\"1\\\"\",\"ID\":\($0),\"Title\":\"a\"}"
        }
        service.set(
            "GET Orders",
            RecordedService.json("{\"value\":[\(rows.joined(separator: ","))]}")
        )
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":10,"Name":"i"}]}"#))
        let provider = try await service.opened(["Orders", "Items"], change)
        service.clearLog()
        return (service, provider)
    }

    private func options(_ transaction: String?) -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        options.transactionID = transaction
        return options
    }

    private func retitle(
        _ provider: OfflineODataProvider,
        _ key: Int,
        _ title: String,
        _ transaction: String?
    ) async throws {
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "PATCH",
                url: "Orders(\(key))",
                headers: ["Content-Type": "application/json"],
                body: Array("{\"Title\":\"\(title)\"}".utf8)
            ),
            options: options(transaction)
        )
        try #require(answer.isSuccess)
    }

    private func note(
        _ provider: OfflineODataProvider,
        _ key: Int,
        _ transaction: String?
    ) async throws {
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "PATCH",
                url: "Orders(\(key))",
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"Note":"n"}"#.utf8)
            ),
            options: options(transaction)
        )
        try #require(answer.isSuccess)
    }

    private static func answer(_ items: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed; boundary=r"],
            body: Array((items + "--r--").utf8)
        )
    }

    private static let done =
        "Content-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\nOData-EntityId: Orders(9)\r\n\r\n\r\n"

    /// Successes of a change set.
    private static func set(_ count: Int) -> String {
        "--r\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
            + String(repeating: "--c\r\n" + done, count: count) + "--c--\r\n"
    }

    private func methods(_ service: RecordedService) -> [String] {
        service.requests.filter { !$0.hasPrefix("GET") }
    }

    // MARK: Without batches

    /// Rule 12: nothing of a transaction is sent where it cannot be sent as one.
    @Test(arguments: [404, 405, 501])
    func refusesATransactionWhereThereAreNoBatches(_ status: Int) async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x", "t")
        try await retitle(provider, 2, "y", "t")
        try await retitle(provider, 3, "z", nil)
        service.set("POST $batch", HTTPResponse(status: status))
        service.set("PATCH Orders(3)", HTTPResponse(status: 204))
        let result = try await provider.upload()
        #expect([result.succeededCount, result.failedCount] == [1, 2])
        #expect(result.refusedRequestIDs == [1, 2])
        #expect(methods(service) == ["POST $batch", "PATCH Orders(3)"])
        let archive = try await provider.errorArchive()
        #expect(archive.map(\.failure?.httpStatus) == [status, status])
        #expect(archive.allSatisfy { $0.failure?.message.contains("no batches") == true })
    }

    @Test func sendsTheMembersOfATransactionThatAPersonHasSplit() async throws {
        let (service, provider) = try await opened { $0.enableRepeatableRequests = true }
        try await retitle(provider, 1, "x", "t")
        try await retitle(provider, 2, "y", "t")
        service.set("POST $batch", HTTPResponse(status: 404))
        for key in 1...2 { service.set("PATCH Orders(\(key))", HTTPResponse(status: 204)) }
        _ = try await provider.upload()
        #expect(try await provider.splitTransaction(of: 2) == [1, 2])
        #expect(try await provider.upload().succeededCount == 2)
        // Rule 11: one identity for each request.
        let ids = service.log.filter { $0.method == "PATCH" }
            .compactMap { $0.headers["Repeatability-Request-ID"] }
        #expect(ids.count == 2)
        #expect(Set(ids).count == 2)
    }

    /// A change by itself is atomic, batch or not.
    @Test func sendsATransactionOfOneByItself() async throws {
        let (service, provider) = try await opened { $0.enableRepeatableRequests = true }
        try await retitle(provider, 1, "x", "t")
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(service.log.last?.headers["Repeatability-Request-ID"] != nil)
    }

    // MARK: Local change sets

    @Test func queuesAChangeSetOfTheStoresOwnBatchAsATransaction() async throws {
        let (service, provider) = try await opened()
        let body = """
            {"requests":[
            {"id":"a","atomicityGroup":"g","method":"PATCH","url":"Orders(1)","headers":{"content-type":"application/json"},"body":{"Title":"x"}},
            {"id":"b","atomicityGroup":"g","method":"PATCH","url":"Orders(2)","headers":{"content-type":"application/json"},"body":{"Title":"y"}},
            {"id":"c","method":"PATCH","url":"Orders(3)","headers":{"content-type":"application/json"},"body":{"Title":"z"}}]}
            """
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "$batch",
                headers: ["Content-Type": "application/json"],
                body: Array(body.utf8)
            )
        )
        #expect(answer.status == 200)
        let queue = try await provider.requestQueue()
        #expect(queue[0].transaction != nil)
        #expect(queue[0].transaction == queue[1].transaction)
        #expect(queue[2].transaction == nil)
        service.set("POST $batch", Self.answer(Self.set(2) + "--r\r\n" + Self.done))
        #expect(try await provider.upload().succeededCount == 3)
    }

    @Test func queuesAMultipartChangeSetOfTheStoresOwnBatchAsATransaction() async throws {
        let (service, provider) = try await opened()
        func update(_ key: Int, _ title: String) -> String {
            "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: \(key)\r\n\r\n"
                + "PATCH Orders(\(key)) HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
                + "{\"Title\":\"\(title)\"}\r\n"
        }
        let body =
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
            + "--c\r\n\(update(1, "x"))--c\r\n\(update(2, "y"))--c--\r\n"
            + "--b\r\n\(update(3, "z"))--b--\r\n"
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "$batch",
                headers: ["Content-Type": "multipart/mixed; boundary=b"],
                body: Array(body.utf8)
            )
        )
        #expect(answer.status == 200)
        let queue = try await provider.requestQueue()
        #expect(queue.map(\.url) == ["Orders(1)", "Orders(2)", "Orders(3)"])
        #expect(queue[0].transaction != nil)
        #expect(queue[0].transaction == queue[1].transaction)
        #expect(queue[2].transaction == nil)
        service.set("POST $batch", Self.answer(Self.set(2) + "--r\r\n" + Self.done))
        #expect(try await provider.upload().succeededCount == 3)
        // Taken back whole, and sent whole.
        let sent = try #require(service.bodies(of: "POST $batch").first)
        #expect(sent.ranges(of: "multipart/mixed").count == 1)
    }

    /// Two change sets of one batch are two transactions.
    @Test func keepsTheChangeSetsOfABatchApart() async throws {
        let (_, provider) = try await opened(4)
        let sets = [[1, 2], [3, 4]].map { keys in
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
                + keys.map {
                    "--c\r\nContent-Type: application/http\r\nContent-ID: \($0)\r\n\r\n"
                        + "DELETE Orders(\($0)) HTTP/1.1\r\n\r\n\r\n"
                }.joined() + "--c--\r\n"
        }
        let answer = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "$batch",
                headers: ["Content-Type": "multipart/mixed; boundary=b"],
                body: Array((sets.joined() + "--b--\r\n").utf8)
            )
        )
        #expect(answer.status == 200)
        let names = try await provider.requestQueue().map(\.transaction)
        #expect(names.count == 4 && names[0] == names[1] && names[2] == names[3])
        #expect(names[0] != nil && names[2] != nil && names[0] != names[2])
    }

    // MARK: Taking back

    @Test func takesATransactionBackAsAWhole() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x", "t")
        try await retitle(provider, 2, "y", "t")
        try await retitle(provider, 3, "z", nil)
        #expect(try await provider.undoPendingChanges("Orders(1)") == 2)
        let titles = try await provider.executeQuery("Orders").map { $0["Title"]?.stringValue }
        #expect(titles == ["a", "a", "z"])
        #expect(try await provider.requestQueue().map(\.id) == [3])
        _ = service
    }

    @Test func keepsTheRestOfATransactionThatWasSplit() async throws {
        let (_, provider) = try await opened()
        try await retitle(provider, 1, "x", "t")
        try await retitle(provider, 2, "y", "t")
        try await provider.splitTransaction(of: 1)
        #expect(try await provider.dropRequest(1) == [1])
        #expect(try await provider.requestQueue().map(\.id) == [2])
    }

    // MARK: Crossing

    /// Two transactions, each of which waits for the other: they go as one.
    @Test func makesCrossingTransactionsOne() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x", "s")
        try await retitle(provider, 2, "y", "t")
        try await note(provider, 1, "t")
        try await note(provider, 2, "s")
        service.set("POST $batch", Self.answer(Self.set(2)))
        let result = try await provider.upload()
        #expect(result.failedCount == 0)
        #expect(try await provider.requestQueueIsEmpty())
        let body = try #require(service.bodies(of: "POST $batch").first)
        #expect(body.contains(#"{"Title":"x","Note":"n"}"#))
        #expect(body.contains(#"{"Title":"y","Note":"n"}"#))
        #expect(service.bodies(of: "POST $batch").count == 1)
    }

    /// A transaction, a change by itself and the transaction again, on the same entities.
    @Test func takesAChangeBetweenIntoItsTransaction() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x", "t")
        try await note(provider, 1, nil)
        let link = HTTPRequest(
            method: "POST",
            url: "Orders(1)/Items/$ref",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"@odata.id":"Items(10)"}"#.utf8)
        )
        #expect(await provider.respond(to: link, options: options("t")).isSuccess)
        service.set("POST $batch", Self.answer(Self.set(2)))
        let result = try await provider.upload()
        #expect([result.failedCount, result.waitingCount] == [0, 0])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// Where the requests of crossing transactions cannot stand in one change set, they are named.
    @Test func namesTransactionsThatCannotBeMadeOne() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x", "s")
        try await retitle(provider, 2, "y", "t")
        for (key, name) in [(1, "t"), (2, "s")] {
            let order = try #require(try await provider.executeQuery("Orders(\(key))").first)
            try await provider.deleteEntity(order, options: options(name))
        }
        let result = try await provider.upload()
        #expect(result.failedCount == 4)
        #expect(methods(service).isEmpty)
        let message = try #require(try await provider.errorArchive().first?.failure?.message)
        #expect(message.contains("s → t"))
        try await provider.splitTransaction(of: 1)
        try await provider.splitTransaction(of: 2)
        service.set("POST $batch", HTTPResponse(status: 404))
        for key in 1...2 {
            service.set("PATCH Orders(\(key))", HTTPResponse(status: 204))
            service.set("DELETE Orders(\(key))", HTTPResponse(status: 204))
            service.set(
                "GET Orders(\(key))",
                RecordedService.json(
                    "{\"@odata.etag\":\"W/\\\"2\\\"\",\"ID\":\(key),\"Title\":\"\(key == 1 ? "x" : "y")\"}"
                )
            )
        }
        #expect(try await provider.upload().succeededCount == 4)
        #expect(try await provider.requestQueueIsEmpty())
    }

    // MARK: Waiting

    /// Rule 21: what waits is counted, on a category or on a parked member of its transaction.
    @Test func tellsWhatStillWaits() async throws {
        let (service, provider) = try await opened()
        let urgent = OfflineODataRequestOptions()
        urgent.uploadCategory = "urgent"
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "x"
        try await provider.updateEntity(order, options: urgent)
        let result = try await provider.upload(categories: ["other"])
        #expect(result.waitingCount == 1)
        #expect(result.requestCount == 0)
        #expect(service.requests.isEmpty)
    }

    @Test func parksTheFellowsOfWhatWaitsForARefusedRequest() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x", nil)
        try await note(provider, 1, "t")
        try await retitle(provider, 2, "y", "t")
        service.set(
            "POST $batch",
            Self.answer("--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 400 Bad\r\n\r\n\r\n")
        )
        let result = try await provider.upload()
        #expect([result.failedCount, result.parkedCount, result.waitingCount] == [1, 2, 0])
        let again = try await provider.upload()
        #expect([again.failedCount, again.parkedCount, again.waitingCount] == [0, 2, 0])
        try await provider.retryRequest(1)
        #expect(try await provider.requestQueue().map(\.status) == [.pending, .pending, .pending])
    }

    /// Busy for one member, a refusal for the other: the set did not take effect.
    @Test func parksTheMemberThatWasNotLookedAt() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x", "t")
        try await retitle(provider, 2, "y", "t")
        let parts = ["400 Bad", "429 Busy"].enumerated().map {
            "--c\r\nContent-Type: application/http\r\nContent-ID: \($0 + 1)\r\n\r\nHTTP/1.1 \($1)\r\n\r\n\r\n"
        }
        service.set(
            "POST $batch",
            Self.answer(
                "--r\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + parts.joined()
                    + "--c--\r\n"
            )
        )
        _ = try? await provider.upload()
        #expect(try await provider.requestQueue().map(\.status) == [.parked])
        #expect(
            try await provider.requestQueue().map(\.failure?.message) == [
                "request 1 of its transaction was refused"
            ]
        )
        #expect(try await provider.errorArchive().map(\.id) == [1])
    }

    /// An answer that names the set stands beside those of its members: which of them is the unnamed one's is not known.
    @Test func asksAboutASetWithAnAnswerTooMany() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x", "t")
        try await retitle(provider, 2, "y", "t")
        let parts = ["Content-ID: 1\r\n", "", "Content-ID: g1\r\n"].map {
            "--c\r\nContent-Type: application/http\r\n\($0)\r\nHTTP/1.1 204 No\r\n\r\n\r\n"
        }
        service.set(
            "POST $batch",
            Self.answer(
                "--r\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + parts.joined()
                    + "--c--\r\n"
            )
        )
        for (id, title) in [(1, "x"), (2, "y")] {
            service.set(
                "GET Orders(\(id))",
                RecordedService.json("{\"ID\":\(id),\"Title\":\"\(title)\"}")
            )
        }
        _ = try? await provider.upload()
        let asked = service.requests.drop { $0 != "POST $batch" }
        #expect(asked.prefix(3) == ["POST $batch", "GET Orders(1)", "GET Orders(2)"])
    }

    // MARK: Members

    @Test func sendsAnUpdateAndALinkInOneChangeSet() async throws {
        let (service, provider) = try await opened()
        try await retitle(provider, 1, "x", "t")
        let link = HTTPRequest(
            method: "POST",
            url: "Orders(1)/Items/$ref",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"@odata.id":"Items(10)"}"#.utf8)
        )
        #expect(await provider.respond(to: link, options: options("t")).isSuccess)
        service.set("POST $batch", Self.answer(Self.set(2)))
        #expect(try await provider.upload().succeededCount == 2)
        let body = try #require(service.bodies(of: "POST $batch").first)
        let update = try #require(body.firstRange(of: "PATCH Orders(1)"))
        let set = try #require(body.firstRange(of: "POST Orders(1)/Items/$ref"))
        #expect(update.lowerBound < set.lowerBound)
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// A change that was refused and corrected names an entity that was created after it: the creation goes first.
    @Test func putsACreationBeforeTheMemberThatNamesIt() async throws {
        let support = """
            <Annotation Term="Org.OData.Capabilities.V1.BatchSupport"><Record>
            <PropertyValue Property="ReferencesInRequestBodiesSupported" Bool="true"/>
            </Record></Annotation></EntityContainer>
            """
        let (service, provider) = try await opened(
            metadata: ShopModel.v4().replacing("</EntityContainer>", with: support)
        )
        try await retitle(provider, 1, "x", "t")
        let item = try await provider.createEntity(
            EntityValue(entitySet: "Items", ["Name": "new"]),
            options: options("t")
        )
        let link = try #require(item.readLink)
        try await provider.editRequest(
            1,
            body: "{\"Title\":\"x\",\"Items@odata.bind\":[\"\(link)\"]}"
        )
        service.set(
            "POST $batch",
            Self.answer("--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 400 Bad\r\n\r\n\r\n")
        )
        _ = try await provider.upload()
        let body = try #require(service.bodies(of: "POST $batch").first)
        let creation = try #require(body.firstRange(of: "POST Items"))
        let update = try #require(body.firstRange(of: "PATCH Orders(1)"))
        #expect(creation.lowerBound < update.lowerBound)
        #expect(!body.contains("$local"))
    }

    /// What somebody else has changed keeps the whole transaction here, also where the members behind it are as they were.
    @Test func keepsATransactionBackForItsFirstMember() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1,"Title":"a"},{"ID":2,"Title":"a"}]}"#)
        )
        let provider = try await service.opened(["Orders"])
        for key in [1, 2] {
            try await provider.send(
                "PATCH",
                "Orders(\(key))",
                #"{"Title":"mine"}"#,
                transaction: "t"
            )
        }
        for (key, title) in [(1, "theirs"), (2, "a")] {
            service.set(
                "GET Orders(\(key))",
                RecordedService.json("{\"ID\":\(key),\"Title\":\"\(title)\"}")
            )
        }
        service.clearLog()
        #expect(try await provider.upload().failedCount == 2)
        #expect(service.requests.allSatisfy { $0.hasPrefix("GET") })
    }
}
