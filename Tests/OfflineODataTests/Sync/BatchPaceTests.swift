import ODataHTTP
import OfflineOData
import Synchronization
import Testing

/// How many requests go as one batch, by how long the service takes.
///
/// The batch after the next is chosen while the next one is answered.
@Suite struct BatchPaceTests {
    /// Takes changes in batches, each of which lets time go by, or is refused.
    private final class PacedService: HTTPTransport {
        let clock = VirtualClock()
        private let time: @Sendable (_ number: Int, _ count: Int) -> Duration?
        private let counts = Mutex<[Int]>([])

        /// - Parameter time: What a batch takes, by its number and how many requests it has; nil where it is too large.
        init(_ time: @escaping @Sendable (_ number: Int, _ count: Int) -> Duration?) {
            self.time = time
        }

        /// How many requests each batch had.
        var batches: [Int] { counts.guarded { $0 } }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            let response =
                request.url.hasSuffix("$batch")
                ? batch(String(decoding: request.body, as: UTF8.self)) : read(request.url)
            return HTTPStreamingResponse(
                status: response.status,
                headers: response.headers,
                body: HTTPBody(response.body)
            )
        }

        private func read(_ url: String) -> HTTPResponse {
            guard url.hasSuffix("$metadata") else { return RecordedService.json(#"{"value":[]}"#) }
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/xml"],
                body: Array(ShopModel.v4().utf8)
            )
        }

        private func batch(_ body: String) -> HTTPResponse {
            let count = body.components(of: "POST Orders ")
            let number = counts.guarded { counts in
                counts.append(count)
                return counts.count
            }
            guard let time = time(number, count) else { return HTTPResponse(status: 413) }
            clock.pass(time)
            let part =
                "--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n"
                + "OData-EntityId: http://service.test/Orders(1)\r\n\r\n\r\n"
            let keyed = (0..<count).map {
                part.replacing("Orders(1)", with: "Orders(\(number * 1_000 + $0))")
            }
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array((keyed.joined() + "--r--").utf8)
            )
        }
    }

    /// Sizes of the batches that carry a number of creations.
    private func batches(
        of service: PacedService,
        changes: Int,
        limit: Int,
        parallel: Int = 1
    ) async throws -> [Int] {
        let directory = try TemporaryDirectory()
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = service
        parameters.retryPolicy = service.clock.policy
        parameters.uploadBatchSize = limit
        parameters.parallelBatchCount = parallel
        let provider = try OfflineODataProvider(
            serviceRoot: "http://service.test/",
            parameters: parameters
        )
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "O", query: "Orders"))
        try await provider.open()
        for number in 1...changes {
            try await provider.createEntity(
                EntityValue(entitySet: "Orders", ["Title": .string("\(number)")])
            )
        }
        #expect(try await provider.upload().succeededCount == changes)
        return service.batches
    }

    @Test func sendsFewerAtOnceToAServiceThatNeedsLong() async throws {
        let service = PacedService { _, count in .milliseconds(count * 2_000) }
        let sizes = try await batches(of: service, changes: 80, limit: 20)
        #expect(sizes == [20, 20, 10, 10, 5, 5, 5, 5])
    }

    @Test func sendsMoreAtOnceWhenTheServiceIsQuickAgain() async throws {
        let service = PacedService { number, _ in number == 1 ? .seconds(40) : .seconds(1) }
        let sizes = try await batches(of: service, changes: 32, limit: 8)
        #expect(sizes == [8, 8, 4, 8, 4])
    }

    @Test func staysWhereTheServiceIsNeitherSlowNorQuick() async throws {
        let service = PacedService { number, _ in number == 1 ? .seconds(40) : .seconds(10) }
        let sizes = try await batches(of: service, changes: 24, limit: 8)
        #expect(sizes == [8, 8, 4, 4])
    }

    @Test func staysBelowWhatTheServiceHasRefused() async throws {
        let service = PacedService { _, count in count > 4 ? nil : .seconds(1) }
        let sizes = try await batches(of: service, changes: 16, limit: 8)
        #expect(sizes == [8, 4, 4, 4, 4])
    }

    @Test func countsTheTimeOfBatchesThatOverlap() async throws {
        let service = PacedService { _, _ in .seconds(40) }
        let sizes = try await batches(of: service, changes: 60, limit: 8, parallel: 3)
        #expect(sizes.first == 8)
        #expect(sizes.last == 1)
        #expect(sizes.reduce(0, +) == 60)
    }
}
