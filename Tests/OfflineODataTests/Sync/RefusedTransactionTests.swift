import OfflineOData
import ODataHTTP
import Testing

/// Change sets that the service refuses as a whole, and what reads tell about their members.
@Suite struct RefusedTransactionTests {
    private static func order(_ id: Int, _ etag: Int, _ title: String = "a") -> String {
        "{\"@odata.etag\":\"W/\\\"\(etag)\\\"\",\"ID\":\(id),\"Title\":\"\(title)\"}"
    }

    /// Two orders, of which one transaction changes the first by a method and the second by an update.
    private func changed(_ method: String) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        let rows = (1...2).map { Self.order($0, 1) }.joined(separator: ",")
        service.set("GET Orders", RecordedService.json("{\"value\":[\(rows)]}"))
        let provider = try await service.opened(["Orders"]) { $0.enableRepeatableRequests = true }
        for (method, url) in [(method, "Orders(1)"), ("PATCH", "Orders(2)")] {
            var request = HTTPRequest(method: method, url: url)
            if method != "DELETE" {
                request.headers["Content-Type"] = "application/json"
                request.body = Array(#"{"Title":"mine"}"#.utf8)
            }
            let options = OfflineODataRequestOptions()
            options.transactionID = "t"
            let answer = await provider.respond(to: request, options: options)
            try #require(answer.isSuccess)
        }
        service.clearLog()
        return (service, provider)
    }

    private static func batch(_ part: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "multipart/mixed; boundary=r"],
            body: Array("--r\r\n\(part)\r\n--r--".utf8)
        )
    }

    private static func refused(_ status: Int) -> HTTPResponse {
        batch("Content-Type: application/http\r\n\r\nHTTP/1.1 \(status) No\r\n\r\n")
    }

    private static func done(_ ids: ClosedRange<Int>) -> HTTPResponse {
        let parts = ids.map {
            "--c\r\nContent-Type: application/http\r\nContent-ID: \($0)\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\nETag: W/\"9\"\r\n\r\n\r\n"
        }
        return batch("Content-Type: multipart/mixed; boundary=c\r\n\r\n\(parts.joined())--c--")
    }

    private func fields(_ name: String, _ service: RecordedService) -> [String] {
        service.bodies(of: "POST $batch").flatMap { body in
            body.split(separator: "\r\n").filter { $0.hasPrefix(name + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private func standing(_ provider: OfflineODataProvider) async throws -> [String] {
        try await (provider.requestQueue() + provider.errorArchive()).map {
            "\($0.id) \($0.status.rawValue)"
        }
    }

    struct Reading: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "PATCH"
        var status = 412
        var first: HTTPResponse
        var second: HTTPResponse
        /// The conditions of both batches.
        var conditions: [String]
        var standing: [String]
        var testDescription: String { name }
    }

    private static let once = ["W/\"1\"", "W/\"1\""]
    private static let failed = ["1 failed", "2 failed"]

    static let readings = [
        Reading(
            name: "only the ETags are others",
            first: RecordedService.json(order(1, 5)),
            second: RecordedService.json(order(2, 6)),
            conditions: once + ["W/\"5\"", "W/\"6\""],
            standing: []
        ),
        Reading(
            name: "one cannot be read",
            first: RecordedService.json(order(1, 5)),
            second: HTTPResponse(status: 500),
            conditions: once,
            standing: failed
        ),
        Reading(
            name: "one has other values",
            first: RecordedService.json(order(1, 5)),
            second: RecordedService.json(order(2, 6, "theirs")),
            conditions: once,
            standing: failed
        ),
        Reading(
            name: "refused for another reason",
            status: 400,
            first: RecordedService.json(order(1, 5)),
            second: RecordedService.json(order(2, 6)),
            conditions: once,
            standing: failed
        ),
        Reading(
            name: "one is gone",
            status: 404,
            first: HTTPResponse(status: 404),
            second: RecordedService.json(order(2, 1)),
            conditions: once,
            standing: failed
        ),
        Reading(
            name: "what is deleted here is gone",
            method: "DELETE",
            status: 404,
            first: HTTPResponse(status: 404),
            second: RecordedService.json(order(2, 1)),
            conditions: once + ["W/\"1\""],
            standing: []
        ),
        Reading(
            name: "what is deleted here is gone for good",
            method: "DELETE",
            status: 410,
            first: HTTPResponse(status: 410),
            second: RecordedService.json(order(2, 1)),
            conditions: once + ["W/\"1\""],
            standing: []
        ),
        Reading(
            name: "what is deleted here is there",
            method: "DELETE",
            status: 404,
            first: RecordedService.json(order(1, 1)),
            second: RecordedService.json(order(2, 1)),
            conditions: once,
            standing: failed
        ),
    ]

    @Test(arguments: readings) func readsTheMembers(_ reading: Reading) async throws {
        let (service, provider) = try await changed(reading.method)
        let isShort = reading.method == "DELETE"
        service.set("POST $batch", Self.refused(reading.status), Self.done(1...(isShort ? 1 : 2)))
        service.set("GET Orders(1)", reading.first)
        service.set("GET Orders(2)", reading.second)
        service.set("GET Orders?$top=1", RecordedService.json(#"{"value":[]}"#))
        _ = try await provider.upload()
        #expect(fields("If-Match", service) == reading.conditions)
        #expect(try await standing(provider) == reading.standing)
        let ids = fields("Repeatability-Request-ID", service)
        #expect(Set(ids).count == service.bodies(of: "POST $batch").count)
    }

    // MARK: The member to blame

    private static func refused(_ status: Int, _ id: Int) -> HTTPResponse {
        batch(
            "Content-Type: application/http\r\nContent-ID: \(id)\r\n\r\nHTTP/1.1 \(status) No\r\n\r\n"
        )
    }

    /// A refusal with the Content-ID of a member says nothing against the others: they wait for that one to be settled.
    @Test func archivesOnlyTheMemberToBlame() async throws {
        let (service, provider) = try await changed("PATCH")
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, 1)))
        service.set("GET Orders(2)", RecordedService.json(Self.order(2, 2, "theirs")))
        service.set("POST $batch", Self.refused(412, 2))
        #expect(try await provider.upload().failedCount == 1)
        #expect(try await standing(provider) == ["1 parked", "2 failed"])
        try await provider.resolveConflict("Orders(2)", with: .local)
        service.set("POST $batch", Self.done(1...2))
        #expect(try await provider.upload().succeededCount == 2)
        #expect(try await standing(provider).isEmpty)
    }

    /// The first in the way is named; another may be in the way too.
    @Test func archivesEveryMemberThatOthersHaveChanged() async throws {
        let (service, provider) = try await changed("PATCH")
        for id in 1...2 {
            service.set("GET Orders(\(id))", RecordedService.json(Self.order(id, 2, "theirs")))
        }
        service.set("POST $batch", Self.refused(412, 2))
        #expect(try await provider.upload().failedCount == 2)
        #expect(try await standing(provider) == Self.failed)
    }

    @Test func sendsTheSetAgainWhereOnlyTheETagOfTheNamedMemberWasAnother() async throws {
        let (service, provider) = try await changed("PATCH")
        service.set("GET Orders(1)", RecordedService.json(Self.order(1, 1)))
        service.set("GET Orders(2)", RecordedService.json(Self.order(2, 2)))
        service.set("POST $batch", Self.refused(412, 2), Self.done(1...2))
        #expect(try await provider.upload().succeededCount == 2)
        #expect(try await standing(provider).isEmpty)
    }
}
