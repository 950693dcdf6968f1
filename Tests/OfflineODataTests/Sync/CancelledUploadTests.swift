import OfflineOData
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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

    /// A store with one order, and the transport that it works through.
    private func opened<Transport: HTTPTransport>(
        through makeTransport: (RecordedService) -> Transport
    ) async throws -> (Transport, OfflineODataProvider) {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        let transport = makeTransport(service)
        return (transport, try await service.opened(["Orders"]) { $0.transport = transport })
    }

    /// The service is asked first whether it gives ETags: no change has left by then.
    @Test func leavesNothingToGoOnWith() async throws {
        let (gate, provider) = try await opened(through: Gate.init)
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

    /// Who copies or moves the file afterwards must not do so under a writer.
    @Test func hasEndedWhenTheStoreIsClosed() async throws {
        let (gate, provider) = try await opened(through: Gate.init)
        try await provider.send("PATCH", "Orders(1)", #"{"Title":"b"}"#)
        gate.shut()
        let progress = provider.progressUpdates()
        let upload = Task { try await provider.upload() }
        #expect(await gate.arrival() != nil)
        try await provider.close(force: true)

        func files() -> [[UInt8]?] {
            ["", "-wal"].map {
                try? [UInt8](Data(contentsOf: URL(filePath: provider.storeFile + $0)))
            }
        }
        let closed = files()
        await #expect(throws: (any Error).self) { try await upload.value }
        #expect(files() == closed)
        // Who follows the progress is done as well.
        for await _ in progress {}
        for await _ in provider.progressUpdates() {}
    }

    /// A handler that closes the store cannot wait for the request that calls it.
    @Test func isClosedByItsOwnWork() async throws {
        let (closing, provider) = try await opened(through: ClosingTransport.init)
        try await provider.send("PATCH", "Orders(1)", #"{"Title":"b"}"#)
        closing.close(provider)
        _ = try? await provider.upload()
        #expect(!provider.isOpen)
    }

    /// Closes a store before it answers.
    private final class ClosingTransport: HTTPTransport {
        private let base: any HTTPTransport
        private let provider = Mutex<OfflineODataProvider?>(nil)

        init(_ base: any HTTPTransport) { self.base = base }

        func close(_ provider: OfflineODataProvider) {
            self.provider.withLock { $0 = provider }
        }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            try await provider.withLock { $0.take() }?.close(force: true)
            return try await base.send(request, options: options)
        }
    }
}
