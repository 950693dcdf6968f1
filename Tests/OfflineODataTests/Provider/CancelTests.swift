import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport
import Testing

/// Cancelling leaves a store that the next call goes on from.
@Suite struct CancelTests {
    /// Cancels by one of the ways when the service has been asked for a page so many times.
    enum Way: CaseIterable {
        case cancelDownload
        case task
        case token
    }

    private func provider(
        _ service: SampleService,
        _ directory: TemporaryDirectory,
        _ transport: any HTTPTransport
    ) throws -> OfflineODataProvider {
        let provider = try service.provider(directory, transport: transport)
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Orders", query: "WorkOrders")
        )
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Parts", query: "Parts")
        )
        return provider
    }

    @Test(arguments: Way.allCases)
    func aCutFirstLoadGoesOnWhereItStopped(_ way: Way) async throws {
        let service = try await SampleService(pageSize: 100, sets: ["Parts", "WorkOrders"])
        let directory = try TemporaryDirectory()
        // The queries are loaded side by side; when the fourth page of one is asked for, its second is in the store.
        let transport = StallingTransport(service.transport, atRequest: 4, for: "WorkOrders")
        let provider = try provider(service, directory, transport)
        let opening = CompletionBox()
        let task: Task<Void, any Error>?
        var token: CancelToken?
        switch way {
        case .token:
            token = provider.open { opening.complete($0) }
            task = nil
        default: task = Task { try await provider.open() }
        }
        await transport.waitUntilStalled()
        switch way {
        case .cancelDownload: provider.cancelDownload()
        case .task: task?.cancel()
        case .token: token?.cancel()
        }
        if let task {
            await #expect(throws: CancellationError.self) { try await task.value }
        } else {
            #expect(await opening.error()?.category == .cancelled)
        }
        #expect(try await provider.hasPendingDownload())

        let before = service.transport.requests.count
        try await provider.open()
        let pages = service.transport.requests.dropFirst(before).filter {
            $0.url.contains("WorkOrders")
        }
        #expect(pages.first?.url.contains("skiptoken") == true)
        #expect(try await provider.executeQuery("WorkOrders").count == 1500)
        #expect(try await provider.checkIntegrity().isEmpty)
        #expect(try await provider.hasPendingDownload() == false)
    }

    @Test func aCancelledDownloadChangesNothingVisible() async throws {
        let service = try await SampleService(pageSize: 100, sets: ["Parts", "WorkOrders"])
        let directory = try TemporaryDirectory()
        try await self.provider(service, directory, service.transport).open()
        _ = await service.change(
            "PATCH",
            "WorkOrders(1001)",
            #"{"Title":"there"}"#,
            ["If-Match": "*"]
        )

        let transport = StallingTransport(service.transport, atRequest: 3)
        let provider = try provider(service, directory, transport)
        let task = Task { try await provider.download() }
        await transport.waitUntilStalled()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await provider.executeQuery("WorkOrders?$filter=Title eq 'there'").isEmpty)

        try await provider.download()
        #expect(try await provider.executeQuery("WorkOrders?$filter=Title eq 'there'").count == 1)
    }

    /// Data are visible before their streams come: who cancels then is told what was done.
    @Test func aDownloadThatIsCancelledAmongItsStreamsSaysWhatItHasBrought() async throws {
        let service = try RecordedService(metadata: PhotoModel.plain)
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set("GET Photos(1)/$value", HTTPResponse(status: 200, body: [1]))
        service.set("GET Photos(2)/$value", HTTPResponse(status: 200, body: [2]))
        let transport = StallingTransport(service, atRequest: 2, for: "$value")
        let provider = try await service.openedWithPhotos { $0.transport = transport }
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1},{"ID":2}]}"#))

        let task = Task { try await provider.download() }
        await transport.waitUntilStalled()
        provider.cancelDownload()
        let error = await #expect(throws: OfflineODataError.self) { try await task.value }
        #expect(error?.category == .cancelled)
        #expect(error?.download?.insertedCount == 1)
        #expect(try await provider.executeQuery("Photos").count == 2)
        #expect(try await provider.hasPendingDownload())
        let event = try await provider.eventLog().first { $0.type == "Download" }
        #expect(event?.details?.hasPrefix("cancelled") == true)

        try await provider.download()
        #expect(try await provider.stream("Photos(2)/$value") != nil)
        #expect(try await provider.hasPendingDownload() == false)
    }

    /// One query is loaded, and none of its streams, when the first load is cut.
    @Test func aFirstLoadThatGoesOnBringsTheStreamsOfWhatWasLoadedBefore() async throws {
        let service = try RecordedService(
            metadata: PhotoModel.plain.replacing(
                "</EntityContainer>",
                with: #"<EntitySet Name="Others" EntityType="M.Photo"/></EntityContainer>"#
            )
        )
        service.set("GET Photos", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set("GET Others", RecordedService.json(#"{"value":[{"ID":1}]}"#))
        service.set("GET Photos(1)/$value", HTTPResponse(status: 200, body: [1]))
        let transport = StallingTransport(service, atRequest: 1, for: "Others")
        let provider = try service.provider { $0.transport = transport }
        for (name, isWithStreams) in [("Photos", true), ("Others", false)] {
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: name,
                    query: name,
                    automaticallyRetrievesStreams: isWithStreams
                )
            )
        }
        let task = Task { try await provider.open() }
        await transport.waitUntilStalled()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!service.requests.contains("GET Photos(1)/$value"))

        try await provider.open()
        #expect(service.requests.filter { $0 == "GET Photos" }.count == 1)
        #expect(service.requests.filter { $0 == "GET Photos(1)/$value" }.count == 1)
        #expect(try await provider.stream("Photos(1)/$value") != nil)
    }

    @Test func aCancelledUploadRecordsTheAnswerThatStillComes() async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders"])
        let directory = try TemporaryDirectory()
        try await self.provider(service, directory, service.transport).open()
        let transport = StallingTransport(service.transport, atRequest: 1)
        let provider = try provider(service, directory, transport)
        try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "in flight"])
        )
        let task = Task { try await provider.upload() }
        await transport.waitUntilStalled()
        provider.cancelUpload()
        transport.release()
        _ = try? await task.value
        #expect(try await provider.requestQueueIsEmpty())
        let orders = try await provider.executeQuery("WorkOrders?$filter=Title eq 'in flight'")
        #expect(orders.first?["ID"] != nil)
    }
}

/// Waits in one of the requests for something until it is cancelled or released.
private final class StallingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let place: Int
    private let part: String
    private let state = Mutex(State())

    private struct State {
        var count = 0
        var isReleased = false
        var stalled: [CheckedContinuation<Void, Never>] = []
        var waiting: [CheckedContinuation<Void, any Error>] = []
        var isStalled = false
    }

    /// - Parameter part: What the URLs of the requests that are counted contain.
    init(_ inner: any HTTPTransport, atRequest place: Int, for part: String = "") {
        self.inner = inner
        self.place = place
        self.part = part
    }

    func send(
        _ request: HTTPRequest,
        options: HTTPRequestOptions
    ) async throws -> HTTPStreamingResponse {
        guard part.isEmpty || request.url.contains(part) else {
            return try await inner.send(request, options: options)
        }
        let number = state.guarded { state in
            state.count += 1
            return state.count
        }
        if number == place { try await stall() }
        return try await inner.send(request, options: options)
    }

    func waitUntilStalled() async {
        await withCheckedContinuation { continuation in
            let isStalled = state.guarded { state in
                if !state.isStalled { state.stalled.append(continuation) }
                return state.isStalled
            }
            if isStalled { continuation.resume() }
        }
    }

    func release() {
        let waiting = state.guarded { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func stall() async throws {
        let stalled = state.guarded { state in
            state.isStalled = true
            defer { state.stalled = [] }
            return state.stalled
        }
        for continuation in stalled { continuation.resume() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isDone = state.guarded { state in
                    // Asked once: a cancellation in between would find the continuation waiting and resume it again.
                    let isDone = state.isReleased || Task.isCancelled
                    if !isDone { state.waiting.append(continuation) }
                    return isDone
                }
                if isDone { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            let waiting = state.guarded { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume(throwing: CancellationError()) }
        }
    }
}

/// Waits for a completion handler.
private final class CompletionBox: Sendable {
    private let stream: AsyncStream<OfflineODataError?>
    private let continuation: AsyncStream<OfflineODataError?>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func complete(_ error: OfflineODataError?) {
        continuation.yield(error)
        continuation.finish()
    }

    func error() async -> OfflineODataError? {
        for await error in stream { return error }
        return nil
    }
}
