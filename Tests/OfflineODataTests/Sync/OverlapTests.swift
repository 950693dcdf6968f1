import OfflineOData
import Synchronization
import Testing

/// Batches that are at the service at the same time.
@Suite(.timeLimit(.minutes(2))) struct OverlapTests {
    private func opened(
        _ service: OverlapService,
        parallel: Int = 4,
        _ change: (OfflineODataParameters) -> Void = { _ in }
    ) async throws -> OfflineODataProvider {
        let provider = try service.provider {
            $0.uploadBatchSize = 1
            $0.parallelBatchCount = parallel
            change($0)
        }
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "O", query: "Orders"))
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "I", query: "Items"))
        try await provider.open()
        return provider
    }

    private func retitle(_ provider: OfflineODataProvider, _ keys: some Sequence<Int>) async throws
    {
        for key in keys {
            try await provider.send("PATCH", "Orders(\(key))", #"{"Title":"new"}"#)
        }
    }

    @Test func sendsSeveralBatchesAtOnceAfterTheFirst() async throws {
        let service = OverlapService(orders: 13, waitsFor: 4)
        let provider = try await opened(service)
        try await retitle(provider, 1...13)

        let result = try await provider.upload()

        #expect(result.succeededCount == 13)
        #expect(service.largestCount == 4)
        #expect(service.begun.first == "PATCH Orders(1)")
        #expect(service.appliedCounts == Array(repeating: 1, count: 13))
        #expect(try await provider.requestQueue().isEmpty)
    }

    @Test func sendsOneAfterTheOtherWhereThatIsAskedFor() async throws {
        let service = OverlapService(orders: 13)
        let provider = try await opened(service, parallel: 1)
        try await retitle(provider, 1...13)

        #expect(try await provider.upload().succeededCount == 13)
        #expect(service.largestCount == 1)
        #expect(service.begun == (1...13).map { "PATCH Orders(\($0))" })
    }

    /// The second change of an entity waits for the answer to the first, and takes the ETag of that.
    @Test func keepsTheOrderOfTheChangesOfAnEntity() async throws {
        let service = OverlapService(orders: 6)
        let provider = try await opened(service) { $0.enableRequestQueueOptimization = false }
        for title in ["a", "b", "c"] {
            for key in 1...6 {
                try await provider.send("PATCH", "Orders(\(key))", "{\"Title\":\"\(title)\"}")
            }
        }
        #expect(try await provider.upload().succeededCount == 18)
        #expect(service.appliedCounts == Array(repeating: 3, count: 6))
        #expect(service.titles == Array(repeating: "c", count: 6))
        #expect(service.conflictCount == 0)
    }

    /// What a call reads and changes is known to the service alone.
    @Test func sendsACallBehindWhatWasQueuedBeforeItAndAlone() async throws {
        let service = OverlapService(orders: 9, waitsFor: 4)
        let provider = try await opened(service, parallel: 6)
        try await retitle(provider, 1...5)
        try await provider.send("POST", "Close", "{}")
        try await retitle(provider, 6...9)

        let result = try await provider.upload()

        #expect(result.succeededCount == 10)
        #expect(service.begun.firstIndex(of: "POST Close beside 0") == 5, "\(service.begun)")
        #expect(Set(service.begun.prefix(5)) == Set((1...5).map { "PATCH Orders(\($0))" }))
    }

    /// What goes wrong with one of four batches, and how many requests wait for a person then.
    enum Trouble: CaseIterable {
        case tooLarge, busy, unavailable, logon, lostBefore, lostAfter, unreadable, refused, gone
        case conflict
    }

    @Test(arguments: Trouble.allCases)
    func losesNothingWhereOneOfThemFails(_ trouble: Trouble) async throws {
        let service = OverlapService(orders: 13, waitsFor: 4, once: true)
        service.failOnce(key: 3, trouble)
        let provider = try await opened(service) { $0.retryPolicy = .never }
        try await retitle(provider, 1...13)

        var left = 3
        while try await !provider.requestQueue().isEmpty, left > 0 {
            left -= 1
            _ = try? await provider.upload()
        }

        let failed = try await provider.errorArchive().map(\.url)
        let isRefused = [.refused, .gone, .conflict].contains(trouble)
        #expect(try await provider.requestQueue().isEmpty)
        #expect(failed == (isRefused ? ["Orders(3)"] : []))
        #expect(
            service.appliedCounts == (1...13).map { isRefused && $0 == 3 ? 0 : 1 },
            "\(service.begun)"
        )
        #expect(try await provider.checkIntegrity().isEmpty)
    }

    @Test func recordsWhatHasComeBackWhenItIsCancelled() async throws {
        let service = OverlapService(orders: 13, waitsFor: 4, once: true)
        let provider = try await opened(service) { $0.cancellationGrace = .seconds(60) }
        try await retitle(provider, 1...13)
        let upload = Task { try await provider.upload() }
        service.cancelsWhenFull { upload.cancel() }

        await #expect(throws: CancellationError.self) { try await upload.value }

        // The four that were on their way are back and recorded; nothing else has left.
        #expect(service.begun.count == 5)
        #expect(try await provider.requestQueue().count == 8)
        #expect(try await provider.upload().succeededCount == 8)
        #expect(service.appliedCounts == Array(repeating: 1, count: 13))
    }
}
