import ODataHTTP
import OfflineOData
import Testing

/// Which answer of a batch belongs to which request: literal bytes, as services send them.
@Suite struct BatchMatchingTests {
    /// Three creations whose keys the service gives: 1, 2 and 3 in the batch.
    private func created(
        _ parts: [String],
        isWhole: Bool = true,
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"], change)
        for title in ["a", "b", "c"] {
            try await provider.createEntity(
                EntityValue(entitySet: "Orders", ["Title": .string(title)])
            )
        }
        service.set("POST $batch", Self.answer(parts, isWhole: isWhole))
        service.clearLog()
        return (service, provider)
    }

    private static func answer(_ parts: [String], isWhole: Bool = true) -> HTTPResponse {
        let body = parts.map { "--r\r\n\($0)" }.joined() + (isWhole ? "--r--" : "--r\r\nContent")
        return HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed; boundary=r"],
            body: Array(body.utf8)
        )
    }

    /// The answer to a creation, with a Content-ID or without.
    private static func done(_ id: Int?, key: Int, _ title: String) -> String {
        part(
            id,
            "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n"
                + "Location: http://service.test/odata/Orders(\(key))\r\n\r\n"
                + "{\"ID\":\(key),\"Title\":\"\(title)\"}"
        )
    }

    private static func refused(_ id: Int?) -> String {
        part(id, "HTTP/1.1 400 Bad Request\r\n\r\n")
    }

    private static func part(_ id: Int?, _ message: String) -> String {
        let name = id.map { "Content-ID: \($0)\r\n" } ?? ""
        return "Content-Type: application/http\r\n\(name)\r\n\(message)\r\n"
    }

    /// Keys by title, and how the requests stand that have no key.
    private func outcome(_ provider: OfflineODataProvider) async throws -> [String: String] {
        var found: [String: String] = [:]
        for order in try await provider.executeQuery("Orders") {
            guard let title = order["Title"]?.stringValue else { continue }
            found[title] = order["ID"]?.integerValue.map { "\($0)" }
        }
        for entry in try await provider.requestQueue() + provider.errorArchive() {
            let title = ["a", "b", "c"].first { entry.body?.contains("\"\($0)\"") == true }
            if let title { found[title] = entry.status.rawValue }
        }
        return found
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        var name: String
        var parts: [String]
        var isWhole = true
        var expected: [String: String]
        var testDescription: String { name }
    }

    private static let unknown = "unknownOutcome"

    static let answers = [
        Answer(
            name: "in another order",
            parts: [done(3, key: 13, "c"), done(1, key: 11, "a"), done(2, key: 12, "b")],
            expected: ["a": "11", "b": "12", "c": "13"]
        ),
        Answer(
            name: "without names, as many",
            parts: [done(nil, key: 11, "a"), done(nil, key: 12, "b"), done(nil, key: 13, "c")],
            expected: ["a": "11", "b": "12", "c": "13"]
        ),
        Answer(
            name: "a refusal among them, in another order",
            parts: [refused(2), done(3, key: 13, "c"), done(1, key: 11, "a")],
            expected: ["a": "11", "b": "failed", "c": "13"]
        ),
        Answer(
            name: "without names, fewer",
            parts: [done(nil, key: 11, "a"), done(nil, key: 12, "b")],
            expected: ["a": unknown, "b": unknown, "c": unknown]
        ),
        // No creation is answered with 204 and no name, so these are not the first answers.
        Answer(
            name: "without names, an answer to no creation before a refusal",
            parts: [part(nil, "HTTP/1.1 204 No Content\r\n\r\n"), refused(nil)],
            expected: ["a": unknown, "b": unknown, "c": unknown]
        ),
        Answer(
            name: "without names, more",
            parts: (1...4).map { done(nil, key: 10 + $0, "a") },
            expected: ["a": unknown, "b": unknown, "c": unknown]
        ),
        Answer(
            name: "one twice",
            parts: [done(1, key: 11, "a"), done(1, key: 12, "b"), done(3, key: 13, "c")],
            expected: ["a": unknown, "b": unknown, "c": "13"]
        ),
        Answer(
            name: "an unknown name",
            parts: [done(1, key: 11, "a"), done(9, key: 12, "b"), done(3, key: 13, "c")],
            expected: ["a": "11", "b": unknown, "c": "13"]
        ),
        Answer(
            name: "some without name, in their places",
            parts: [done(nil, key: 11, "a"), done(2, key: 12, "b"), done(nil, key: 13, "c")],
            expected: ["a": "11", "b": "12", "c": "13"]
        ),
        Answer(
            name: "some without name, not in their places",
            parts: [done(nil, key: 11, "a"), done(1, key: 12, "b"), done(nil, key: 13, "c")],
            expected: ["a": "12", "b": unknown, "c": unknown]
        ),
        // The broken-off answer after a refusal says nothing about the third: no silent second POST.
        Answer(
            name: "broken off after a refusal",
            parts: [done(1, key: 11, "a"), refused(2)],
            isWhole: false,
            expected: ["a": "11", "b": "failed", "c": unknown]
        ),
        Answer(
            name: "broken off after a refusal, without names",
            parts: [done(nil, key: 11, "a"), refused(nil)],
            isWhole: false,
            expected: ["a": unknown, "b": unknown, "c": unknown]
        ),
        Answer(
            name: "a gap before the refusal",
            parts: [done(1, key: 11, "a"), refused(3)],
            expected: ["a": "11", "b": unknown, "c": "failed"]
        ),
    ]

    @Test(arguments: answers)
    func findsTheAnswerOfEachRequest(_ answer: Answer) async throws {
        let (service, provider) = try await created(answer.parts, isWhole: answer.isWhole)
        _ = try await provider.upload()
        #expect(try await outcome(provider) == answer.expected)
        #expect(service.bodies(of: "POST $batch").count == 1)
    }

    /// OData 4.01 Part 1 § 11.7.7.1: what stands behind the first error was not processed.
    @Test(arguments: [(1, 2), (1, nil), (nil, nil)] as [(Int?, Int?)])
    func sendsAgainWhatStandsBehindTheErrorThatStoppedTheService(_ name: Int?, _ other: Int?)
        async throws
    {
        let first = [Self.done(name, key: 11, "a"), Self.refused(other)]
        let (service, provider) = try await created(first)
        service.set(
            "POST $batch",
            Self.answer(first),
            Self.answer([Self.done(name, key: 13, "c")])
        )
        let result = try await provider.upload()
        #expect(try await outcome(provider) == ["a": "11", "b": "failed", "c": "13"])
        #expect([result.succeededCount, result.failedCount] == [2, 1])
        #expect(service.bodies(of: "POST $batch").count == 2)
    }

    /// In JSON the answers bear names and may stand in any order; a gap among them says nothing of what has none.
    @Test(arguments: [
        ([1, 2], ["a": "11", "b": "failed", "c": "13"]),
        ([2, 1], ["a": "11", "b": "failed", "c": "13"]),
        ([2], ["a": unknown, "b": "failed", "c": unknown]),
    ])
    func sendsAgainWhatStandsBehindTheErrorInJSON(_ ids: [Int], _ expected: [String: String])
        async throws
    {
        let (service, provider) = try await created([]) { $0.uploadBatchFormat = .json }
        let responses = ids.map { id in
            id == 2
                ? #"{"id":"2","status":400}"#
                : #"{"id":"1","status":201,"headers":{"Location":"Orders(11)"},"body":{"ID":11,"Title":"a"}}"#
        }
        service.set(
            "POST $batch",
            RecordedService.json("{\"responses\":[\(responses.joined(separator: ","))]}"),
            RecordedService.json(
                #"{"responses":[{"id":"1","status":201,"body":{"ID":13,"Title":"c"}}]}"#
            )
        )
        _ = try await provider.upload()
        #expect(try await outcome(provider) == expected)
    }

    /// A service that says that it went on after errors has not stopped: what has no answer may have been carried out.
    @Test(arguments: [
        (true, ["a": "11", "b": "failed", "c": unknown]),
        (false, ["a": unknown, "b": unknown, "c": unknown]),
    ])
    func sendsNothingAgainWhereTheServiceSaysThatItWentOn(
        isNamed: Bool,
        _ expected: [String: String]
    ) async throws {
        let parts = [Self.done(isNamed ? 1 : nil, key: 11, "a"), Self.refused(isNamed ? 2 : nil)]
        let (service, provider) = try await created(parts)
        var answer = Self.answer(parts)
        answer.headers["Preference-Applied"] = "odata.continue-on-error"
        service.set("POST $batch", answer)
        _ = try await provider.upload()
        #expect(try await outcome(provider) == expected)
        #expect(service.bodies(of: "POST $batch").count == 1)
    }

    // MARK: Change sets

    /// Two creations of a transaction, answered in the other order.
    @Test(arguments: [
        ([2, 1], ["a": "11", "b": "12", "c": "pending"]),
        ([2, 2], ["a": unknown, "b": unknown, "c": "pending"]),
        ([2, 7], ["a": unknown, "b": unknown, "c": "pending"]),
        ([2, 1, 1], ["a": unknown, "b": unknown, "c": "pending"]),
    ])
    func findsTheAnswersOfAChangeSet(_ ids: [Int], _ expected: [String: String]) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"])
        for title in ["a", "b", "c"] {
            let options = OfflineODataRequestOptions()
            if title == "c" {
                options.uploadCategory = "later"
            } else {
                options.transactionID = "t"
            }
            try await provider.createEntity(
                EntityValue(entitySet: "Orders", ["Title": .string(title)]),
                options: options
            )
        }
        let parts = ids.enumerated().map { Self.done($1, key: 12 - $0, $0 == 0 ? "b" : "a") }
        let set = parts.map { "--c\r\n\($0)" }.joined() + "--c--\r\n"
        service.set(
            "POST $batch",
            Self.answer(["Content-Type: multipart/mixed; boundary=c\r\n\r\n\(set)"])
        )
        let result = try await provider.upload(categories: [""])
        #expect(try await outcome(provider) == expected)
        #expect(result.waitingCount == 1)
    }

    struct SetAnswer: Sendable, CustomTestStringConvertible {
        var name: String
        var parts: [String]
        var expected: [String: String]
        var testDescription: String { name }
    }

    /// One refusal inside of a change set stands for all members; a success beside one proves nothing.
    static let sets = [
        SetAnswer(
            name: "one refusal",
            parts: [refused(nil)],
            expected: ["a": "failed", "b": "failed"]
        ),
        SetAnswer(
            name: "one refusal with the name of a member",
            parts: [refused(2)],
            expected: ["a": "parked", "b": "failed"]
        ),
        SetAnswer(
            name: "a success and a refusal",
            parts: [done(1, key: 11, "a"), refused(2)],
            expected: ["a": unknown, "b": "failed"]
        ),
        SetAnswer(
            name: "one success",
            parts: [done(1, key: 11, "a")],
            expected: ["a": unknown, "b": unknown]
        ),
        SetAnswer(
            name: "two successes, one without a name",
            parts: [done(nil, key: 11, "a"), done(2, key: 12, "b")],
            expected: ["a": "11", "b": "12"]
        ),
    ]

    @Test(arguments: sets)
    func readsTheAnswerToAChangeSet(_ answer: SetAnswer) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"])
        for title in ["a", "b"] {
            try await provider.send("POST", "Orders", "{\"Title\":\"\(title)\"}", transaction: "t")
        }
        let set = answer.parts.map { "--c\r\n\($0)" }.joined() + "--c--\r\n"
        service.set(
            "POST $batch",
            Self.answer(["Content-Type: multipart/mixed; boundary=c\r\n\r\n\(set)"])
        )
        _ = try await provider.upload()
        #expect(try await outcome(provider) == answer.expected)
    }

    /// The round that is made ready while another one is on its way has the ETags that are read for it.
    @Test func sendsTheETagsThatAreReadForTheNextRound() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        func order(_ id: Int, _ etag: Int) -> String {
            "{\"@odata.etag\":\"\\\"\(etag)\\\"\",\"ID\":\(id),\"Title\":\"x\"}"
        }
        service.set(
            "GET Orders",
            RecordedService.json("{\"value\":[\(order(1, 1)),\(order(2, 2))]}")
        )
        let provider = try await service.opened(["Orders"]) { $0.uploadBatchSize = 1 }
        service.set("POST $batch", Self.answer([Self.part(nil, "HTTP/1.1 204 No Content\r\n\r\n")]))
        for title in ["x", "y"] {
            for id in 1...2 {
                service.set("GET Orders(\(id))", RecordedService.json(order(id, id + 4)))
                try await provider.send("PATCH", "Orders(\(id))", "{\"Title\":\"\(title)\"}")
            }
            try await provider.upload()
        }
        let etags = service.bodies(of: "POST $batch").map { body in
            body.split(separator: "\r\n").first { $0.hasPrefix("If-Match") }.map(String.init)
        }
        #expect(etags.suffix(2) == [#"If-Match: "5""#, #"If-Match: "6""#])
    }

    /// A change set is answered whole: behind one that is not, no refusal is known to be the third request's.
    @Test func takesNoPartOfAChangeSetForAllOfIt() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"])
        for title in ["a", "b", "c", "d"] {
            let options = OfflineODataRequestOptions()
            if ["a", "b"].contains(title) { options.transactionID = "t" }
            try await provider.createEntity(
                EntityValue(entitySet: "Orders", ["Title": .string(title)]),
                options: options
            )
        }
        let set = "--c\r\n\(Self.done(nil, key: 11, "a"))--c--\r\n"
        service.set(
            "POST $batch",
            Self.answer([
                "Content-Type: multipart/mixed; boundary=c\r\n\r\n\(set)", Self.refused(nil),
            ])
        )
        _ = try await provider.upload()
        let unknown = Self.unknown
        #expect(try await outcome(provider) == ["a": unknown, "b": unknown, "c": unknown])
    }

    // MARK: JSON

    /// The answers to a JSON batch may stand on several pages (OData 4.01 JSON § 19.5).
    @Test func followsTheNextLinkOfABatchInJSON() async throws {
        let (service, provider) = try await createdForJSON()
        func json(_ id: Int, _ title: String) -> String {
            "{\"id\":\"\(id)\",\"status\":201,\"headers\":{\"content-type\":\"application/json\"},"
                + "\"body\":{\"ID\":\(10 + id),\"Title\":\"\(title)\"}}"
        }
        service.set(
            "POST $batch",
            RecordedService.json(
                "{\"responses\":[\(json(2, "b"))],\"@nextLink\":\"$batch?page=2\"}"
            )
        )
        service.set(
            "GET $batch?page=2",
            RecordedService.json("{\"responses\":[\(json(1, "a")),\(json(3, "c"))]}")
        )
        #expect(try await provider.upload().succeededCount == 3)
        #expect(try await outcome(provider) == ["a": "11", "b": "12", "c": "13"])
        #expect(service.requests == ["POST $batch", "GET $batch?page=2"])
    }

    /// A next link that cannot be followed, or that leads back to itself, leaves the rest in doubt.
    @Test(arguments: [true, false])
    func losesTheAnswersThatANextLinkDoesNotBring(isCircle: Bool) async throws {
        let (service, provider) = try await createdForJSON()
        let first = RecordedService.json(
            #"{"responses":[{"id":"2","status":400}],"@odata.nextLink":"$batch?page=2"}"#
        )
        service.set("POST $batch", first)
        if isCircle {
            service.set(
                "GET $batch?page=2",
                RecordedService.json(#"{"responses":[],"@nextLink":"$batch?page=2"}"#)
            )
        }
        _ = try await provider.upload()
        #expect(
            try await outcome(provider) == ["a": Self.unknown, "b": "failed", "c": Self.unknown]
        )
        #expect(service.requests.count == 2)
    }

    private func createdForJSON() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders"]) { $0.uploadBatchFormat = .json }
        for title in ["a", "b", "c"] {
            try await provider.createEntity(
                EntityValue(entitySet: "Orders", ["Title": .string(title)])
            )
        }
        service.clearLog()
        return (service, provider)
    }
}
