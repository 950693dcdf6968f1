import OfflineOData
import Synchronization
import TestSupport
import Testing

/// An upload that was cancelled before a change has left.
@Suite struct CancelledUploadTests {
    /// Hands requests on until it is told to hold them back; those wait until they are cancelled.
    private final class Gate: HTTPTransport {
        private let base: any HTTPTransport
        private let isShut = Mutex(false)
        private let arrivals = AsyncStream<String>.makeStream()

        init(_ base: any HTTPTransport) { self.base = base }

        func shut() { isShut.withLock { $0 = true } }

        /// The method of the first request that is held back.
        func arrival() async -> String? {
            var iterator = arrivals.stream.makeAsyncIterator()
            return await iterator.next()
        }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            guard isShut.withLock({ $0 }) else {
                return try await base.send(request, options: options)
            }
            arrivals.continuation.yield(request.method)
            let (endless, continuation) = AsyncStream<Void>.makeStream()
            for await _ in endless {}
            continuation.finish()
            throw CancellationError()
        }
    }

    /// The service is asked first whether it gives ETags: no change has left by then.
    @Test func leavesNothingToGoOnWith() async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        let gate = Gate(service)
        let provider = try await service.opened(["Orders"]) { $0.transport = gate }
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "b"
        try await provider.updateEntity(order)
        gate.shut()
        let upload = Task { try await provider.upload() }
        #expect(await gate.arrival() == "GET")
        upload.cancel()
        await #expect(throws: (any Error).self) { try await upload.value }
        #expect(try await provider.status().interrupted == nil)
        #expect(try await provider.status().queueCount == 1)
        try await provider.close()
    }
}
