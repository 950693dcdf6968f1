import ODataHTTP
import OfflineOData
import Synchronization
import Testing

/// Settings of sizes, and of the grace period of a cancel: each at its limit.
@Suite struct SizeSettingTests {
    private static let rows = (1...6).map { #"{"ID":\#($0),"Title":"a"}"# }.joined(separator: ",")

    private func service() throws -> RecordedService {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json("{\"value\":[\(Self.rows)]}"))
        return service
    }

    private func change(_ provider: OfflineODataProvider, count: Int) async throws {
        for id in 1...count {
            let request = HTTPRequest(
                method: "PATCH",
                url: "Orders(\(id))",
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"Title":"12345678901234567890"}"#.utf8)
            )
            try #require(await provider.respond(to: request).isSuccess)
        }
    }

    /// The changes in the first batch.
    private func firstBatch(
        _ change: (OfflineODataParameters) -> Void
    ) async throws -> Int {
        let service = try service()
        let provider = try await service.opened(["Orders"], change)
        try await self.change(provider, count: 6)
        service.set("POST $batch", HTTPResponse(status: 503))
        _ = try? await provider.upload()
        let body = service.bodies(of: "POST $batch").first ?? ""
        return body.ranges(of: "PATCH ").count
    }

    @Test(arguments: [(1, 1), (4, 4), (6, 6), (100, 6)])
    func holdsTheNumberOfRequestsInABatch(_ size: Int, _ expected: Int) async throws {
        #expect(try await firstBatch { $0.uploadBatchSize = size } == expected)
    }

    /// Each body has 32 bytes; one that is larger than the limit goes by itself.
    @Test(arguments: [(1, 1), (63, 1), (64, 2), (95, 2), (96, 3), (1_000, 6)])
    func holdsTheBytesOfABatch(_ bytes: Int, _ expected: Int) async throws {
        #expect(try await firstBatch { $0.maximumUploadBatchBytes = bytes } == expected)
    }

    @Test(arguments: [(0, true), (1, false)])
    func holdsTheBytesOfAnItem(_ missing: Int, _ isTaken: Bool) async throws {
        let service = try service()
        let item = #"{"ID":1,"Title":"12345678901234567890"}"#
        service.set("GET Orders", RecordedService.json("{\"value\":[\(item)]}"))
        let provider = try service.provider {
            $0.limits.payload.maximumItemBytes = item.utf8.count - missing
        }
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Q", query: "Orders"))
        #expect(await opens(provider) == isTaken)
    }

    private func opens(_ provider: OfflineODataProvider) async -> Bool {
        do {
            try await provider.open()
            return true
        } catch {
            #expect((error as? OfflineODataError)?.message.isEmpty == false)
            return false
        }
    }

    @Test(arguments: [(0, true), (1, false)])
    func holdsTheBytesOfABody(_ missing: Int, _ isTaken: Bool) async throws {
        let service = try service()
        let provider = try service.provider {
            $0.limits.bodyBytes = ShopModel.v4().utf8.count - missing
        }
        #expect(await opens(provider) == isTaken)
    }

    @Test(
        arguments: [
            { $0.uploadBatchSize = 0 }, { $0.maximumUploadBatchBytes = 0 },
            { $0.limits.bodyBytes = 0 },
            { $0.limits.payload.maximumItemBytes = 0 },
        ] as [@Sendable (OfflineODataParameters) -> Void]
    )
    func refusesSizesOfNothing(_ change: @Sendable (OfflineODataParameters) -> Void) throws {
        let service = try service()
        #expect(throws: OfflineODataError.self) { _ = try service.provider(change) }
    }

    // MARK: Cancelling

    /// Holds the batch until it is released, or its task is cancelled.
    private final class HeldTransport: HTTPTransport {
        private let inner: RecordedService
        private let state = Mutex(State())

        private struct State {
            var isReleased = false
            var isCancelled = false
            var isReached = false
            var held: CheckedContinuation<Void, Never>?
        }

        init(_ inner: RecordedService) { self.inner = inner }

        var isReached: Bool { state.guarded { $0.isReached } }
        var isCancelled: Bool { state.guarded { $0.isCancelled } }

        func release() {
            state.guarded { state in
                state.isReleased = true
                defer { state.held = nil }
                return state.held
            }?.resume()
        }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            guard request.url.hasSuffix("$batch") else {
                return try await inner.send(request, options: options)
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let goesOn = state.guarded { state in
                        state.isReached = true
                        if !state.isReleased { state.held = continuation }
                        return state.isReleased
                    }
                    if goesOn { continuation.resume() }
                }
            } onCancel: {
                state.guarded { $0.isCancelled = true }
                release()
            }
            if isCancelled { throw CancellationError() }
            return try await inner.send(request, options: options)
        }
    }

    private func held(grace: Duration) async throws -> (
        HeldTransport, OfflineODataProvider, Task<Void, any Error>
    ) {
        let service = try service()
        let answer = "--r\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No\r\n\r\n\r\n--r--"
        service.set(
            "POST $batch",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "multipart/mixed; boundary=r"],
                body: Array(answer.utf8)
            )
        )
        let transport = HeldTransport(service)
        let provider = try await service.opened(["Orders"]) {
            $0.transport = transport
            $0.cancellationGrace = grace
        }
        try await change(provider, count: 1)
        let upload = Task { _ = try await provider.upload() }
        while !transport.isReached { await Task.yield() }
        return (transport, provider, upload)
    }

    /// What has left must not lose its answer for a cancel.
    @Test func recordsTheAnswerWithinTheGracePeriod() async throws {
        let (transport, provider, upload) = try await held(grace: .seconds(3_600))
        upload.cancel()
        transport.release()
        _ = await upload.result
        #expect(!transport.isCancelled)
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// Without grace the request is given up at once, and its outcome is settled by the next upload.
    @Test func givesTheRequestUpWithoutGrace() async throws {
        let (transport, provider, upload) = try await held(grace: .zero)
        upload.cancel()
        await #expect(throws: (any Error).self) { try await upload.value }
        #expect(transport.isCancelled)
        #expect(try await provider.requestQueue().map(\.status) == [.sending])
    }
}
