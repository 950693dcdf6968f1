import StoreRecords
import ODataSQLite
import ODataHTTP
import OfflineOData
import OfflineStore
import Synchronization
import TestSupport
import Testing

/// While one round is at the service the next one is chosen: nothing is lost or doubled by that, whatever happens in between.
@Suite struct UploadPipelineTests {
    /// Holds batches back until a test lets them go on.
    private final class Gate: HTTPTransport {
        private let inner: any HTTPTransport
        private let state = Mutex(State())

        private struct State {
            var batchCount = 0
            var present = 0
            var mostAtOnce = 0
            /// How many batches may reach the service.
            var allowed = 0
            var waiting: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
        }

        init(_ inner: any HTTPTransport) { self.inner = inner }

        var batchCount: Int { state.guarded { $0.batchCount } }
        var mostAtOnce: Int { state.guarded { $0.mostAtOnce } }

        /// Lets so many batches pass in all.
        func allow(_ count: Int) {
            let free = state.guarded { state in
                state.allowed = count
                let free = state.waiting.filter { $0.number <= count }
                state.waiting.removeAll { $0.number <= count }
                return free
            }
            for waiter in free { waiter.continuation.resume() }
        }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            guard request.url.hasSuffix("$batch") else {
                return try await inner.send(request, options: options)
            }
            await withCheckedContinuation { continuation in
                let isFree = state.guarded { state in
                    state.batchCount += 1
                    state.present += 1
                    state.mostAtOnce = max(state.mostAtOnce, state.present)
                    guard state.batchCount > state.allowed else { return true }
                    state.waiting.append((state.batchCount, continuation))
                    return false
                }
                if isFree { continuation.resume() }
            }
            defer { state.guarded { $0.present -= 1 } }
            return try await inner.send(request, options: options)
        }
    }

    /// A store with so many orders made here, in batches of two.
    private func filled(
        _ count: Int,
        _ directory: TemporaryDirectory,
        parallelBatchCount: Int = 6
    ) async throws -> (SampleService, Gate, OfflineODataProvider) {
        let service = try await SampleService(sets: [])
        let gate = Gate(service.transport)
        let provider = try self.provider(service, directory, gate, parallelBatchCount)
        try await provider.open()
        for number in 1...count {
            try await provider.createEntity(
                EntityValue(entitySet: "WorkOrders", ["Title": .string("order \(number)")])
            )
        }
        return (service, gate, provider)
    }

    private func provider(
        _ service: SampleService,
        _ directory: TemporaryDirectory,
        _ transport: any HTTPTransport,
        _ parallelBatchCount: Int = 6
    ) throws -> OfflineODataProvider {
        let provider = try service.provider(directory, transport: transport) {
            $0.uploadBatchSize = 2
            $0.parallelBatchCount = parallelBatchCount
        }
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Orders", query: "WorkOrders")
        )
        return provider
    }

    /// Waits until so many requests are marked as being sent while a batch waits at the gate.
    private func waitForMarks(_ count: Int, _ gate: Gate, _ provider: OfflineODataProvider)
        async throws
    {
        while true {
            let marked = try await provider.requestQueue().count { $0.status == .sending }
            if marked == count, gate.batchCount > 0 { return }
            await Task.yield()
        }
    }

    private func count(_ service: SampleService) async -> String {
        String(decoding: await service.get("WorkOrders/$count").body, as: UTF8.self)
    }

    @Test func choosesTheNextRoundWhileOneIsAtTheService() async throws {
        let directory = try TemporaryDirectory()
        // Once a round has succeeded others leave beside each other, unless only one may be at the service.
        let (service, gate, provider) = try await filled(5, directory, parallelBatchCount: 1)
        let upload = Task { try await provider.upload() }
        try await waitForMarks(4, gate, provider)
        #expect(gate.batchCount == 1)
        gate.allow(100)
        #expect(try await upload.value.succeededCount == 5)
        #expect(gate.batchCount == 3)
        #expect(gate.mostAtOnce == 1)
        #expect(await count(service) == "5")
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// The file as a process leaves it that is killed while the first round is at the service, and the second chosen.
    @Test func leavesNothingInDoubtThatWasNeverSent() async throws {
        let directory = try TemporaryDirectory()
        let (service, gate, provider) = try await filled(5, directory)
        let upload = Task { try await provider.upload() }
        try await waitForMarks(4, gate, provider)
        let copy = try TemporaryDirectory()
        let copying = try SpawnedProcess(
            "/bin/sh",
            ["-c", "cp \"$1\"/localstore* \"$2\"", "sh", directory.path, copy.path]
        )
        #expect(try await copying.status() == 0)
        gate.allow(1)
        while gate.batchCount < 2 { await Task.yield() }
        // The first round was carried out; for the process in the copy its answer is lost.
        let again = try self.provider(service, copy, service.transport)
        let result = try await again.upload()
        #expect(result.succeededCount == 3)
        #expect(result.unknownCount == 2)
        #expect(await count(service) == "5")
        gate.allow(100)
        _ = try? await upload.value
    }

    /// What stands at the service when an upload is cancelled is listened to; what was chosen behind it waits on.
    @Test func givesTheNextRoundBackWhenItIsCancelled() async throws {
        let directory = try TemporaryDirectory()
        let (service, gate, provider) = try await filled(5, directory)
        let upload = Task { try await provider.upload() }
        try await waitForMarks(4, gate, provider)
        provider.cancelUpload()
        gate.allow(1)
        await #expect(throws: CancellationError.self) { try await upload.value }
        #expect(gate.batchCount == 1)
        #expect(await count(service) == "2")
        #expect(try await provider.requestQueue().map(\.status) == [.pending, .pending, .pending])
        gate.allow(100)
        #expect(try await provider.upload().succeededCount == 3)
        #expect(await count(service) == "5")
    }

    /// A refusal concerns nothing but what depends on it.
    @Test func sendsTheNextRoundAfterARefusal() async throws {
        let directory = try TemporaryDirectory()
        let (service, gate, provider) = try await filled(4, directory)
        // A store refuses itself what the model forbids, so what the service refuses is written into the file.
        let file = try LocalStore(
            path: directory.path + "/localstore.sqlite",
            isCreating: false,
            key: TestKey.connection
        )
        try await file.file.write { connection in
            try connection.run(
                "UPDATE \"$queue\" SET \"body\" = '{\"NoSuchProperty\":1}' WHERE \"id\" = 1"
            )
        }
        gate.allow(100)
        let result = try await provider.upload()
        #expect(result.succeededCount == 3)
        #expect(result.failedCount == 1)
        #expect(gate.batchCount == 2)
        #expect(await count(service) == "3")
    }

    /// A service that is busy has not looked at anything: all that was chosen waits on.
    @Test(arguments: [429, 503]) func givesBothRoundsBackWhenTheServiceIsBusy(status: Int)
        async throws
    {
        let directory = try TemporaryDirectory()
        let (service, gate, provider) = try await filled(5, directory)
        gate.allow(100)
        service.transport.setFault { request in
            request.url.hasSuffix("$batch") ? .instead(HTTPResponse(status: status)) : nil
        }
        await #expect(throws: OfflineODataError.self) { try await provider.upload() }
        let statuses = try await provider.requestQueue().map(\.status)
        #expect(statuses.dropFirst(2) == [.pending, .pending, .pending])
        service.transport.setFault(nil)
        let result = try await provider.upload()
        // An answer of 503 may come from a gateway after the change was made.
        #expect(result.succeededCount == (status == 429 ? 5 : 3))
        #expect(result.unknownCount == (status == 429 ? 0 : 2))
    }

    /// Rounds follow one another by their dependencies, not by their numbers.
    @Test func sendsAChainRoundByRound() async throws {
        let directory = try TemporaryDirectory()
        let (service, gate, provider) = try await filled(1, directory)
        gate.allow(100)
        for title in ["second", "third"] {
            var order = try #require(try await provider.executeQuery("WorkOrders").first)
            order["Title"] = .string(title)
            let options = OfflineODataRequestOptions()
            options.unmodifiableRequest = true
            try await provider.updateEntity(order, options: options)
        }
        #expect(try await provider.upload().succeededCount == 3)
        #expect(gate.batchCount == 3)
        let title = await service.get("WorkOrders?$select=Title").body
        #expect(String(decoding: title, as: UTF8.self).contains("\"third\""))
    }
}
