import ODataValues
import OfflineOData
import OfflineResources
import Synchronization
import TestSupport
import Testing

/// Four cache policies, merge policies, and what a synchronisation tells.
@Suite struct CachedDataStoreTests {
    private func open(_ items: VersionedItems, isOn: Bool = true) async throws
        -> (PolicyBench, CachedDataStore)
    {
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        return (bench, CachedDataStore(engine: bench.engine, isCacheEnabled: isOn))
    }

    @Test func keepsNothingUntilSwitchedOn() async throws {
        let (bench, store) = try await open(VersionedItems(), isOn: false)
        #expect(store.cachePolicy == .networkOnly)
        #expect(try await store.read("Items", cachePolicy: .cacheElseNetwork).count == 2)
        #expect(try await bench.engine.storedResources().isEmpty)
        bench.network.set(isReachable: false)
        await #expect(throws: OfflineODataError.self) { try await store.read("Items") }
        await #expect(throws: OfflineODataError.self) {
            try await store.insert(EntityValue(entitySet: "Items", ["ID": 9]))
        }
    }

    @Test(arguments: CachePolicy.allCases)
    func readsByEveryPolicy(_ policy: CachePolicy) async throws {
        let (bench, store) = try await open(VersionedItems())
        // Never fetched: the cache alone is always empty.
        #expect(
            try await store.read("Items", cachePolicy: policy).count
                == (policy == .cacheOnly ? 0 : 2)
        )
        let asked = bench.service.asked.count
        _ = try await store.read("Items", cachePolicy: policy)
        let asks = [.networkOnly, .networkElseCache].contains(policy)
        #expect(bench.service.asked.count - asked == (asks ? 1 : 0))
        bench.network.set(isReachable: false)
        if policy == .networkOnly {
            await #expect(throws: OfflineODataError.self) {
                try await store.read("Items", cachePolicy: policy)
            }
        } else {
            let count = try await store.read("Items", cachePolicy: policy).count
            #expect(count == (policy == .cacheOnly ? 0 : 2))
        }
    }

    @Test func letsTheNetworkChooseThePolicy() async throws {
        let (bench, store) = try await open(VersionedItems())
        store.cachePolicy = .networkOnly
        store.setCachePolicyOnNetworkChange { $0 == .online ? .networkElseCache : .cacheOnly }
        #expect(store.cachePolicy == .networkElseCache)
        #expect(try await store.read("Items").count == 2)
        bench.network.set(isReachable: false)
        #expect(store.cachePolicy == .cacheOnly)
        #expect(try await store.read("Items").count == 2)
        store.setCachePolicyOnNetworkChange(nil)
        #expect(store.cachePolicy == .networkOnly)
    }

    @Test func isAsBeforeWhereTheServiceRefusesOnline() async throws {
        let items = VersionedItems()
        let (bench, store) = try await open(items)
        store.cachePolicy = .networkElseCache
        var item = try #require(try await store.read("Items").first)
        item["Name"] = "mine"
        bench.service.set { $0.method == "PATCH" ? LiteralService.json("{}", status: 400) : nil }
        let changed = item
        await #expect(throws: OfflineODataError.self) { try await store.update(changed) }
        #expect(try await bench.provider.executeQuery("Items(1)").first?["Name"] == "one")
        #expect(try await store.isDirty("Items(1)") == false)
    }

    @Test func tellsWhatASynchronizationDid() async throws {
        let items = VersionedItems()
        let (bench, store) = try await open(items)
        store.cachePolicy = .networkElseCache
        let all = try await store.read("Items")
        bench.network.set(isReachable: false)
        var first = try #require(all.first)
        first["Name"] = "mine"
        try await store.update(first)
        var second = try #require(all.last)
        second["Name"] = "mine, too"
        try await store.update(second)
        try await store.insert(EntityValue(entitySet: "Items", ["ID": 9, "Name": "nine"]))
        #expect(try await store.isDirty("Items(1)"))
        items.change(2) { $0.name = "theirs" }
        bench.network.set(isReachable: true)
        let told = Mutex<[String]>([])
        let failed = Mutex<[String]>([])
        store.setSyncCompletion { resources in
            told.guarded { $0 = resources.map { "\($0.url) \($0.action)" } }
        }
        store.setSyncFailure(of: .update) { resources in
            failed.guarded { $0 = resources.map(\.url) }
        }
        try await store.syncWithServer()
        #expect(!store.isSynchronizing)
        #expect(
            told.guarded { $0 } == [
                "Items(1) updatedOnServer", "Items(2) failed", "Items(9) insertedOnServer",
            ]
        )
        #expect(failed.guarded { $0 } == ["Items(2)"])
        #expect(try await store.isDirty("Items(2)"))
        store.mergePolicies = ConflictRules(.clientWins)
        try await store.syncWithServer()
        #expect(items.items[2]?.name == "mine, too")
    }

    /// A file saved offline is raw data until it is synchronised; then the service has a URL in its place.
    @Test func readsTheURLOfAFileOnceItIsSynchronized() async throws {
        let items = VersionedItems()
        let (bench, store) = try await open(items)
        store.cachePolicy = .networkElseCache
        var item = try #require(try await store.read("Items").first)
        let text = CachedDataStore.string(
            forBinaryData: [0, 1, 254, 255],
            name: "goat.jpeg",
            contentType: "image/jpeg"
        )
        #expect(
            text
                == "Content-Type: image/jpeg\nContent-Disposition: attachment; filename=goat.jpeg\nContent-Transfer-Encoding: base64\n\nAAH+/w=="
        )
        item["Note"] = .string(text)
        bench.network.set(isReachable: false)
        try await store.update(item)
        let kept = try #require(try await store.read("Items").first?["Note"]?.stringValue)
        #expect(!CachedDataStore.stringContainsURL(kept))
        #expect(CachedDataStore.dataForString(kept) == [0, 1, 254, 255])
        #expect(BinaryText(kept)?.name == "goat.jpeg")
        let answer = items.answer
        bench.service.set { request in
            let response = try await answer(request)
            if request.method == "PATCH" {
                items.change(1) { $0.note = "https://files.example/goat.jpeg" }
            }
            return response
        }
        bench.network.set(isReachable: true)
        try await store.syncWithServer()
        bench.network.set(isReachable: false)
        let synced = try #require(try await store.read("Items").first?["Note"]?.stringValue)
        #expect(CachedDataStore.stringContainsURL(synced))
        #expect(CachedDataStore.dataForString(synced) == nil)
    }

    @Test(arguments: [
        "", "text", "http:/x", "ftp://x", "https://a b", "Content-Type: a\n\nAAH+/w==",
        "Content-Transfer-Encoding: base64\n\n*",
    ])
    func takesOtherTextsForNeitherURLNorFile(_ text: String) {
        #expect(!CachedDataStore.stringContainsURL(text))
        #expect(CachedDataStore.dataForString(text) == nil)
    }

    @Test func purgesAndMarksAsSynced() async throws {
        let (bench, store) = try await open(VersionedItems())
        store.cachePolicy = .networkElseCache
        var item = try #require(try await store.read("Items").first)
        bench.network.set(isReachable: false)
        item["Name"] = "mine"
        try await store.update(item)
        try await store.purge(["Items(1)", "Items(2)"])
        #expect(try await bench.provider.executeQuery("Items").count == 1)
        try await store.markAsSynced(["Items(1)"])
        #expect(try await bench.provider.executeQuery("Items").first?["Name"] == "mine")
        try await store.purgeAll()
        try await store.purge(entitySet: "Items")
        #expect(try await bench.provider.requestQueueIsEmpty())
    }
}
