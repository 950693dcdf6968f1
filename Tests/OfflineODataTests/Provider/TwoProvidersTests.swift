import OfflineOData
import TestSupport
import Testing

/// Two providers of this process that have one file open.
@Suite struct TwoProvidersTests {
    /// A store over the sample service, and a second provider of its file.
    private static func pair() async throws -> (store: SmallStore, other: OfflineODataProvider) {
        let store = try await SmallStore()
        let other = try store.service.provider(store.directory, transport: store.transport)
        try await other.open()
        return (store, other)
    }

    @Test func eachSeesTheChangesOfTheOther() async throws {
        let (store, other) = try await Self.pair()
        let order = store.orders[0]

        try await store.retitle(order, "By the first")
        let seen = try #require(try await other.executeQuery(order).first)
        #expect(seen["Title"]?.stringValue == "By the first")

        var changed = seen
        changed["Title"] = "By the second"
        try await other.updateEntity(changed)
        #expect(try await store.text(order, "Title") == "By the second")
        #expect(try await store.provider.requestQueue().count == 2)
        #expect(try await other.requestQueue().count == 2)
    }

    @Test(.timeLimit(.minutes(5))) func liveQueriesFollowTheChangesOfTheOther() async throws {
        let (store, other) = try await Self.pair()
        var live = other.liveQuery("WorkOrders?$select=Title&$orderby=Title").makeAsyncIterator()
        var queue = other.requestQueueUpdates().makeAsyncIterator()
        _ = try await live.next()
        #expect(try await queue.next()?.isEmpty == true)

        try await store.retitle(store.orders[0], "A new title")

        let titles = try await live.next()?.compactMap { $0["Title"]?.stringValue }
        #expect(titles?.first == "A new title")
        #expect(try await queue.next()?.count == 1)
    }

    @Test func bothChangeAtTheSameTime() async throws {
        let (store, other) = try await Self.pair()
        let count = 40

        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                for provider in [store.provider, other] {
                    group.addTask {
                        _ = try await provider.createEntity(
                            EntityValue(
                                entitySet: "WorkOrders",
                                ["Title": .string("Made \(number)")]
                            )
                        )
                    }
                }
            }
            try await group.waitForAll()
        }

        let ids = try await store.provider.requestQueue().map(\.id)
        #expect(Set(ids).count == 2 * count)
        #expect(try await other.executeQuery("WorkOrders").count == 2 * count + 2)
        #expect(try await other.checkIntegrity().isEmpty)
    }

    @Test func oneUploadsWhatTheOtherHasChanged() async throws {
        let (store, other) = try await Self.pair()
        try await store.retitle(store.orders[0], "Sent by the other")

        let result = try await other.upload()

        #expect(result.succeededCount == 1)
        #expect(try await store.provider.requestQueueIsEmpty())
        try await store.provider.download()
        #expect(try await store.text(store.orders[0], "Title") == "Sent by the other")
    }

    @Test func oneSynchronisesAtATime() async throws {
        let (store, other) = try await Self.pair()

        // Each takes the lock of the file, or says that the other has it.
        async let first = Result { try await store.provider.download() }
        async let second = Result { try await other.download() }
        for result in await [first, second] {
            if case .failure(let error) = result {
                #expect((error as? OfflineODataError)?.code == .inUse)
            }
        }
        #expect(try await other.checkIntegrity().isEmpty)
    }

    @Test func oneGoesOnWhenTheOtherCloses() async throws {
        let (store, other) = try await Self.pair()

        try await other.close()
        try await store.retitle(store.orders[0], "Still here")

        #expect(try await store.text(store.orders[0], "Title") == "Still here")
        let closed = await #expect(throws: OfflineODataError.self) {
            try await other.executeQuery("WorkOrders")
        }
        #expect(closed?.code == .closed)
        #expect(try await store.provider.checkIntegrity().isEmpty)
    }

    @Test func askingWhetherAFileIsAStoreKeepsTheLocks() async throws {
        let (store, _) = try await Self.pair()
        try await store.retitle(store.orders[0], "Waiting")
        let path = store.directory.path + "/localstore.sqlite"

        let error = await #expect(throws: OfflineODataError.self) {
            try await OfflineODataProvider.removeStore(at: path, key: TestKey.store)
        }

        #expect(error?.code == .preconditionFailed)
        #expect(try await store.provider.checkIntegrity().isEmpty)
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
