import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport
import Testing

/// Every loop of a download ends, whatever the service does, on a clock that needs no time.
@Suite struct DownloadBoundsTests {
    private static let page = #"{"value":[{"ID":1}]}"#

    private func opened(
        _ clock: VirtualClock,
        _ answer: HTTPResponse,
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(Self.page))
        let provider = try await service.opened(["Orders"]) {
            $0.retryPolicy = clock.policy
            change($0)
        }
        service.set("GET Orders", answer)
        service.clearLog()
        return (service, provider)
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        var name: String
        var response: HTTPResponse
        var count: Int
        var testDescription: String { name }
    }

    static let answers =
        [408, 425, 429, 502, 503, 504].map {
            Answer(name: "\($0)", response: HTTPResponse(status: $0), count: 4)
        }
        + [429, 503].map {
            Answer(
                name: "\($0), at once",
                response: HTTPResponse(status: $0, headers: ["Retry-After": "0"]),
                count: 4
            )
        }
        + [429, 503].map {
            Answer(
                name: "\($0), in a billion seconds",
                response: HTTPResponse(status: $0, headers: ["Retry-After": "1000000000"]),
                count: 1
            )
        }
        + [401, 403].map {
            Answer(name: "\($0)", response: HTTPResponse(status: $0), count: 1)
        }
        // Once with the preference for changes, once without.
        + [400, 500].map {
            Answer(name: "\($0)", response: HTTPResponse(status: $0), count: 2)
        } + [
            Answer(
                name: "HTML 500",
                response: HTTPResponse(
                    status: 500,
                    headers: ["Content-Type": "text/html"],
                    body: Array("<p>oops</p>".utf8)
                ),
                count: 2
            ),
            Answer(
                name: "circle of redirects",
                response: HTTPResponse(status: 307, headers: ["Location": "Orders"]),
                count: 6
            ),
            Answer(name: "no connection", response: RecordedService.unreachable, count: 4),
            Answer(name: "no answer", response: RecordedService.lost, count: 4),
            Answer(name: "cut page", response: RecordedService.cut(page, after: 10), count: 4),
            Answer(
                name: "garbage",
                response: HTTPResponse(status: 200, body: Array("<!>\u{0}".utf8)),
                count: 1
            ),
        ]

    /// One count of attempts for a page, however many layers take part, and a store that the next download goes on from.
    @Test(arguments: answers)
    func asksForAPageABoundedNumberOfTimes(_ answer: Answer) async throws {
        let clock = VirtualClock()
        let (service, provider) = try await opened(clock, answer.response)
        await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(service.requests.count { $0 == "GET Orders" } == answer.count)
        #expect(clock.now <= .seconds(300))
        #expect(try await provider.executeQuery("Orders").count == 1)

        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))
        try await provider.download()
        #expect(try await provider.executeQuery("Orders").count == 2)
    }

    @Test func backsOffWhereTheServiceWantsToBeAskedAtOnce() async throws {
        let clock = VirtualClock()
        let busy = HTTPResponse(status: 503, headers: ["Retry-After": "0"])
        let (_, provider) = try await opened(clock, busy)
        await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(clock.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    /// Attempts are counted once for a page that was asked for ahead too.
    @Test func countsThePageThatWasAskedForAheadOnce() async throws {
        let clock = VirtualClock()
        let first = #"{"value":[{"ID":1}],"@odata.nextLink":"Orders?p=2"}"#
        let (service, provider) = try await opened(clock, RecordedService.json(first))
        service.set("GET Orders?p=2", RecordedService.lost)
        await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(service.requests.count { $0 == "GET Orders?p=2" } == 4)
    }

    @Test func endsWhenTheTotalTimeIsOver() async throws {
        let clock = VirtualClock()
        let busy = HTTPResponse(status: 503, headers: ["Retry-After": "100"])
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", busy)
        await #expect(throws: OfflineODataError.self) {
            try await service.opened(["Orders"]) {
                $0.retryPolicy = clock.policy
                $0.retryPolicy.maximumAttempts = 1_000
            }
        }
        #expect(clock.waits == [.seconds(100), .seconds(100), .seconds(100)])
    }

    // MARK: Pages

    /// Next links in circles of any length, from the first page or from a later one.
    @Test(arguments: [(1, 0), (2, 0), (3, 0), (10, 0), (2, 1), (7, 4)])
    func findsACircleOfNextLinks(_ length: Int, _ before: Int) async throws {
        let clock = VirtualClock()
        let (service, provider) = try await opened(clock, RecordedService.json(Self.page)) {
            $0.limits.pageCount = 100
        }
        let count = before + length
        for number in 0..<count {
            let url = number == 0 ? "Orders" : "Orders?p=\(number)"
            let next = number + 1 < count ? number + 1 : before
            let link = next == 0 ? "Orders" : "Orders?p=\(next)"
            service.set(
                "GET \(url)",
                RecordedService.json(
                    "{\"value\":[{\"ID\":\(number + 1)}],\"@odata.nextLink\":\"\(link)\"}"
                )
            )
        }
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.download()
        }
        #expect(error?.message.contains("circle") == true)
        #expect(service.requests.count <= 3 * count + 5)
    }

    /// A service that makes pages without end: with entities or without.
    @Test(arguments: [true, false])
    func endsAChainOfPagesWithoutEnd(isEmpty: Bool) async throws {
        let transport = EndlessPages(isEmpty: isEmpty)
        let service = try RecordedService(metadata: ShopModel.v4())
        let provider = try service.provider {
            $0.transport = transport
            $0.limits.emptyPageCount = 30
            $0.limits.pageCount = 40
        }
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Orders"))
        let error = await #expect(throws: OfflineODataError.self) { try await provider.open() }
        #expect(error?.message.contains(isEmpty ? "without entities" : "do not end") == true)
        #expect(transport.count <= (isEmpty ? 32 : 42))
    }

    /// Links inside of entities that lead to themselves again.
    @Test func endsACircleOfLinksInsideOfEntities() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$expand=Items",
            RecordedService.json(
                #"{"value":[{"ID":1,"Items":[{"ID":10}],"Items@odata.nextLink":"Orders(1)/Items?p=1"}]}"#
            )
        )
        for (page, next) in [(1, 2), (2, 1)] {
            service.set(
                "GET Orders(1)/Items?p=\(page)",
                RecordedService.json(
                    "{\"value\":[{\"ID\":1\(page)}],\"@odata.nextLink\":\"Items?p=\(next)\"}"
                )
            )
        }
        await #expect(throws: OfflineODataError.self) {
            try await service.opened(["Orders?$expand=Items"])
        }
        #expect(service.requests.count < 12)
    }
}

/// A service whose pages never end.
private final class EndlessPages: HTTPTransport {
    private let isEmpty: Bool
    private let number = Mutex(0)

    init(isEmpty: Bool) { self.isEmpty = isEmpty }

    var count: Int { number.guarded { $0 } }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        guard !request.url.hasSuffix("$metadata") else {
            return HTTPStreamingResponse(
                status: 200,
                headers: ["Content-Type": "application/xml"],
                body: HTTPBody(Array(ShopModel.v4().utf8))
            )
        }
        let page = number.guarded { number in
            number += 1
            return number
        }
        let rows = isEmpty ? "" : "{\"ID\":\(page)}"
        let body = "{\"value\":[\(rows)],\"@odata.nextLink\":\"Orders?p=\(page)\"}"
        return HTTPStreamingResponse(
            status: 200,
            headers: ["Content-Type": "application/json"],
            body: HTTPBody(Array(body.utf8))
        )
    }
}
