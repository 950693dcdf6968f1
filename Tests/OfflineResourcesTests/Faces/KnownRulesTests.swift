import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import Synchronization
import TestSupport
import Testing

/// Rules on which users of the four systems rely.
@Suite struct KnownRulesTests {
    @Test func newObjectsHaveThePoliciesOfTheirPath() async throws {
        var options = PolicyEngineOptions()
        var configuration = BackendConfiguration()
        configuration.policies = [
            PathPolicy(
                pattern: try #require(PathPattern("Items/*")),
                policy: ResourcePolicy(updatePolicy: .updateIfOnline)
            )
        ]
        options.configuration = configuration
        let bench = try await PolicyBench(options)
        bench.network.set(isReachable: false)
        var object = bench.engine.endpoint("Items").createObject(["ID": 7])
        #expect(
            try await object.currentPolicy().updatePolicy
                == ResolvedPolicy(.updateIfOnline, from: .path, pattern: "Items/*")
        )
        await #expect(throws: OfflineODataError.self) { try await object.save() }
        #expect(try await bench.provider.requestQueueIsEmpty())
    }

    @Test func aChangedPolicyTakesEffectWithTheNextDeletion() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        let fetched = try await bench.engine.endpoint("Items").fetch(key: "2").object()
        var object = try #require(fetched)
        bench.network.set(isReachable: false)
        object.setPolicy(ResourcePolicy(updatePolicy: .updateIfOnline))
        let error = await #expect(throws: OfflineODataError.self) { try await object.delete() }
        #expect(error?.code == .offline)
        #expect(try await object.delete(isKeptOffline: true) == .queued)
    }

    /// Services without ETags say the version in the field that asks for it.
    @Test func sendsTheValidatorOfAnotherFieldAsItCame() async throws {
        let date = "Sun, 09 Sep 2001 01:46:40 GMT"
        let seen = Mutex<[String?]>([])
        let bench = try await PolicyBench { request in
            seen.guarded { $0.append(request.headers["If-None-Match"]) }
            guard request.headers["If-None-Match"] == nil else { return HTTPResponse(status: 304) }
            return LiteralService.items([4], ["If-None-Match": date])
        }
        for _ in 0..<2 { #expect(try await bench.engine.read("Items").ids == [4]) }
        #expect(seen.guarded { $0 } == [nil, date])
        #expect(try await bench.engine.storedResource("Items")?.validator == date)
    }

    @Test func theFileLimitIsForFilesKeptOffline() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        let handler = OfflineHandler(engine: bench.engine)
        handler.fileLimit = 3
        // The set has no media, which is another error.
        let error = await #expect(throws: OfflineODataError.self) {
            try await handler.saveFile([1, 2, 3, 4], contentType: "image/png", in: "Items")
        }
        #expect(error?.code != .limitExceeded)
    }

    @Test func relatedEntitiesThatTheStoreDoesNotHaveAreNone() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        _ = try await bench.engine.read("Items")
        bench.network.set(isReachable: false)
        for url in ["Items(2)/Parent", "Items(77)/Parent"] {
            let answer = try await bench.engine.read(url)
            #expect(answer.entity == nil)
            #expect(answer.remark == "not in the store, and the service was not asked")
        }
        #expect(try await bench.provider.executeQuery("Items(2)/Parent").isEmpty)
        #expect(try await bench.engine.read("Items").remark == nil)
        bench.network.set(isReachable: true)
        bench.transport.setFault { _ in .lostBefore }
        let tried = try await bench.engine.read("Items(2)/Parent")
        #expect(
            tried.remark?.hasPrefix("not in the store, and the service was not reached") == true
        )
    }

    /// Entities that a reference has brought stay when the collection of their set is removed, and the reference has its own query.
    @Test func aRemovedCollectionIsEmptyOfflineAndLeavesWhatReferencesHaveBrought() async throws {
        let items = VersionedItems()
        items.change(2) { $0.parent = 1 }
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        let handler = OfflineHandler(engine: bench.engine)
        #expect(try await handler.load("Items").count == 2)
        #expect(try await handler.load("Items(2)/Parent").map { $0["ID"] } == [1])
        #expect(try await handler.deleteAllFromStorage("Items") == 1)
        bench.network.set(isReachable: false)
        #expect(try await handler.load("Items").isEmpty)
        #expect(try await handler.load("Items(2)/Parent").map { $0["ID"] } == [1])
        #expect(try await bench.provider.executeQuery("Items").map { $0["ID"] } == [1])
    }

    /// A fetch by URL with a policy of its own, pinned while it is fetched, and its eviction by hand.
    @Test func fetchesPinsAndEvictsByURL() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        let fetch = bench.engine
            .request("/Items?$top=9", policy: ResourcePolicy(fetchPolicy: .fromServiceOnCacheMiss))
            .header("X-Own", "1").pin(.high)
        for _ in 0..<2 { #expect(try await fetch.objects()?.count == 2) }
        #expect(bench.service.asked == ["GET Items?$top=9"])
        let stored = try #require(
            try await bench.engine.storedResources().first { $0.url == fetch.url }
        )
        #expect(stored.pinPriority == .high)
        #expect(try await bench.engine.storedResources().count == 1)
        let fetched = try await bench.engine.request("Items(2)").object()
        let object = try #require(fetched)
        #expect(try await object.evict())
        #expect(try await bench.provider.executeQuery("Items").map { $0["ID"] } == [1])
        #expect(try await fetch.evict() == 1)
        #expect(try await bench.provider.executeQuery("Items").isEmpty)
        #expect(try await bench.engine.storedResources().isEmpty)
    }

    @Test func evictsNoObjectWithChangesThatWait() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        let fetched = try await bench.engine.request("Items(2)").object()
        var object = try #require(fetched)
        bench.network.set(isReachable: false)
        try object.addOrUpdateJSONProperty("Name", "mine")
        try await object.save()
        #expect(try await object.evict() == false)
        #expect(try await bench.provider.executeQuery("Items(2)").first?["Name"] == "mine")
    }

    /// 404 takes the copy away, but not what was changed here.
    @Test func keepsAChangedEntityThatTheServiceHasNoMore() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        var item = try #require(try await bench.engine.read("Items(2)").entity)
        item["Name"] = "mine"
        try await bench.provider.updateEntity(item)
        items.delete(2)
        #expect(try await bench.engine.read("Items(2)").entity?["Name"] == "mine")
        #expect(try await bench.provider.executeQuery("Items(2)").first?["Name"] == "mine")
        #expect(try await bench.provider.requestQueue().map(\.url) == ["Items(2)"])
        #expect(try await bench.engine.storedResource("Items(2)") != nil)
    }
}
