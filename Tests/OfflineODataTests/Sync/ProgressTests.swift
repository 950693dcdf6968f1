import OfflineOData
import Synchronization
import Testing

/// What is told while an operation runs.
@Suite struct ProgressTests {
    private final class Listener: OfflineODataDelegate {
        private let heard = Mutex<[OfflineODataProgress]>([])

        var all: [OfflineODataProgress] { heard.guarded { $0 } }

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateOpenProgress progress: OfflineODataProgress
        ) {
            heard.guarded { $0.append(progress) }
        }
        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateUploadProgress progress: OfflineODataProgress
        ) {
            heard.guarded { $0.append(progress) }
        }
    }

    private func isRising(_ progress: [OfflineODataProgress]) -> Bool {
        zip(progress, progress.dropFirst()).allSatisfy { $0.stepNumber <= $1.stepNumber }
    }

    /// Each of several sets is received and indexed for itself; the bar does not jump back for that.
    @Test func neverGoesBackWhileSetsAreLoadedOneAfterTheOther() async throws {
        let service = try await SampleService(sets: ["Parts", "WorkOrders", "Customers"])
        let directory = try TemporaryDirectory()
        let listener = Listener()
        // Of sets that are loaded at once, the last one to come may be indexed as it comes.
        let provider = try service.provider(directory, delegate: listener) {
            $0.parallelQueryCount = 1
        }
        for set in ["Parts", "WorkOrders", "Customers"] {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: set, query: set))
        }
        try await provider.open()
        #expect(isRising(listener.all))
        #expect(listener.all.contains { $0.step == .receivingData && $0.queryNumber == 3 })
        #expect(listener.all.contains { $0.step == .buildingIndexes })
        #expect(listener.all.last?.step == .finished)
    }

    @Test func neverGoesBackFromRoundToRound() async throws {
        let service = try await SampleService(sets: [])
        let directory = try TemporaryDirectory()
        let listener = Listener()
        let provider = try service.provider(directory, delegate: listener) {
            $0.uploadBatchSize = 1
        }
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(name: "Orders", query: "WorkOrders")
        )
        try await provider.open()
        for title in ["a", "b", "c"] {
            try await provider.createEntity(
                EntityValue(entitySet: "WorkOrders", ["Title": .string(title)])
            )
        }
        try await provider.upload()
        let told = listener.all.filter { $0.operation == .upload }
        #expect(isRising(told))
        #expect(Set(told.map(\.answeredRequestCount)).isSuperset(of: [1, 2, 3]))
        #expect(told.last?.stepNumber == 3)
    }
}
