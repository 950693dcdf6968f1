import ODataProtocol
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
        #expect(try await bench.engine.read("Items(2)/Parent").entity == nil)
        #expect(try await bench.provider.executeQuery("Items(2)/Parent").isEmpty)
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
