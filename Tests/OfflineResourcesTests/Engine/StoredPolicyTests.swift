import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import Testing

/// Policies that live with the data.
@Suite struct StoredPolicyTests {
    private func configuration(_ path: String, _ policy: ResourcePolicy) throws
        -> BackendConfiguration
    {
        var configuration = BackendConfiguration(name: "Shop/1.0")
        let pattern = try #require(PathPattern(path))
        configuration.policies = [PathPolicy(pattern: pattern, policy: policy)]
        return configuration
    }

    @Test func storesEachValueWithItsLevel() async throws {
        var options = PolicyEngineOptions()
        options.configuration = try configuration(
            "Items/*",
            ResourcePolicy(evictionPolicy: .onExpiryAtStartup)
        )
        let bench = try await PolicyBench(options)
        _ = try await bench.engine.read("Items", policy: ResourcePolicy(expireAfter: 7))
        // Another process without the configuration finds them with the resource.
        let other = try await PolicyBench(after: bench)
        let policy = try await other.engine.policy(for: "/Items")
        #expect(
            policy.evictionPolicy
                == ResolvedPolicy(.onExpiryAtStartup, from: .path, pattern: "Items/*")
        )
        #expect(policy.expireAfter == ResolvedPolicy(7, from: .request))
        #expect(policy.fetchPolicy == ResolvedPolicy(.fromServiceIfOnline, from: .library))
        // Items have the policies of the collection that brought them.
        #expect(try await other.engine.policy(for: "Items(2)") == policy)
        // What was never stored has those of the configuration alone.
        #expect(try await other.engine.policy(for: "Items(77)") == .library)
    }

    @Test func keepsTheConfigurationInTheStore() async throws {
        let bench = try await PolicyBench()
        let kept = try configuration("Items/**", ResourcePolicy(fetchPolicy: .fromCache))
        try await bench.engine.keep(configuration: kept)
        #expect(try await bench.engine.read("Items").entities == nil)
        let other = try await PolicyBench(after: bench)
        #expect(try await other.engine.configuration().policies == kept.policies)
        #expect(try await other.engine.read("Items").entities == nil)
        #expect(other.service.asked.isEmpty)
    }

    @Test func putsPoliciesOfAResourceBeforeThoseOfItsPath() async throws {
        var options = PolicyEngineOptions()
        options.configuration = try configuration(
            "Items",
            ResourcePolicy(fetchPolicy: .fromService)
        )
        let bench = try await PolicyBench(options)
        try await bench.engine.setPolicy(ResourcePolicy(fetchPolicy: .fromCache), for: "Items")
        #expect(try await bench.engine.read("Items").entities == nil)
        #expect(
            try await bench.engine.policy(for: "Items").fetchPolicy
                == ResolvedPolicy(.fromCache, from: .request)
        )
        // The reader's own come before them.
        let fresh = try await bench.engine.read(
            "Items",
            policy: ResourcePolicy(fetchPolicy: .fromService)
        )
        #expect(fresh.ids == [1, 2])
        #expect(try await bench.engine.storedResource("Items")?.ownPolicy.fetchPolicy == .fromCache)
    }

    @Test func membersHaveThePoliciesSetForTheirCollection() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        let set = ResourcePolicy(conflictResolutionPolicy: .clientWins)
        try await bench.engine.setPolicy(set, for: "Items")
        let policy = try await bench.engine.policy(for: "Items(1)")
        #expect(policy.conflictResolutionPolicy == ResolvedPolicy(.clientWins, from: .request))
        // Its own come before them.
        try await bench.engine.setPolicy(
            ResourcePolicy(conflictResolutionPolicy: .serverWins),
            for: "Items(1)"
        )
        #expect(
            try await bench.engine.policy(for: "Items(1)").conflictResolutionPolicy.value
                == .serverWins
        )
    }

    @Test func whatWasFetchedByItselfHasNoPoliciesOfItsCollection() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        _ = try await bench.engine.read("Items")
        _ = try await bench.engine.read("Items(1)")
        let set = ResourcePolicy(
            updatePolicy: .updateIfOnline,
            conflictResolutionPolicy: .clientWins
        )
        try await bench.engine.setPolicy(set, for: "Items")
        bench.network.set(isReachable: false)
        for (id, isRefused) in [(1, false), (2, true)] {
            var item = try #require(try await bench.provider.executeQuery("Items(\(id))").first)
            item["Name"] = "mine"
            let changed = item
            let code: OfflineODataError.Code?
            do {
                try await bench.provider.updateEntity(changed)
                code = nil
            } catch {
                code = error.code
            }
            #expect(code == (isRefused ? .offline : nil))
        }
        #expect(try await bench.engine.policy(for: "Items(1)") == .library)
        #expect(
            try await bench.engine.policy(for: "Items(2)").conflictResolutionPolicy.value
                == .clientWins
        )
    }

    @Test func laterReadsLeaveWhatEarlierOnesHaveSaid() async throws {
        let bench = try await PolicyBench()
        let said = ResourcePolicy(
            fetchPolicy: .fromService,
            expirationPolicy: .after,
            expireAfter: 60,
            evictionPolicy: .onExpiryAtStartup
        )
        _ = try await bench.engine.read("Items", policy: said)
        _ = try await bench.engine.read("Items", policy: ResourcePolicy(expireAfter: 90))
        let policy = try await bench.engine.policy(for: "Items")
        #expect(policy.evictionPolicy == ResolvedPolicy(.onExpiryAtStartup, from: .request))
        #expect(policy.expirationPolicy == ResolvedPolicy(.after, from: .request))
        #expect(policy.expireAfter == ResolvedPolicy(90, from: .request))
        // Where a read is answered from is said by each.
        #expect(policy.fetchPolicy == ResolvedPolicy(.fromServiceIfOnline, from: .library))
        bench.clock.advance(91)
        #expect(try await bench.engine.storedResource("Items")?.isExpired == true)
    }

    @Test func whatIsSetNoMoreIsForgotten() async throws {
        let bench = try await PolicyBench()
        try await bench.engine.setPolicy(
            ResourcePolicy(evictionPolicy: .onExpiryAtStartup),
            for: "Items"
        )
        _ = try await bench.engine.read("Items")
        try await bench.engine.setPolicy(ResourcePolicy(), for: "Items")
        #expect(try await bench.engine.policy(for: "Items") == .library)
        _ = try await bench.engine.read("Items")
        #expect(try await bench.engine.policy(for: "Items") == .library)
    }

    @Test func theConfigurationDecidesWhatNobodyHadSaid() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read(
            "Items",
            policy: ResourcePolicy(updatePolicy: .queueIfOffline)
        )
        var kept = BackendConfiguration()
        kept.defaultPolicy = ResourcePolicy(
            updatePolicy: .updateIfOnline,
            conflictResolutionPolicy: .serverWins
        )
        try await bench.engine.keep(configuration: kept)
        let policy = try await bench.engine.policy(for: "Items(1)")
        #expect(policy.conflictResolutionPolicy == ResolvedPolicy(.serverWins, from: .service))
        #expect(policy.updatePolicy == ResolvedPolicy(.queueIfOffline, from: .request))
    }

    @Test(arguments: ["Nope", "Nope(1)", "Items(1", "Items/$count", "Items(1)/Name"])
    func refusesPoliciesOfWhatIsNoResource(_ url: String) async throws {
        let bench = try await PolicyBench()
        await #expect(throws: OfflineODataError.self) {
            try await bench.engine.setPolicy(ResourcePolicy(noCache: true), for: url)
        }
        await #expect(throws: OfflineODataError.self) {
            try await bench.engine.pin(url, priority: .high)
        }
        #expect(try await bench.engine.storedResources().isEmpty)
    }

    @Test func takesTheEngineThatTheStoreNeeds() async throws {
        let bench = try await PolicyBench()
        #expect(try PolicyEngine.kept(in: bench.provider) == nil)
        _ = try await bench.engine.read("Items")
        #expect(try PolicyEngine.kept(in: bench.provider) != nil)
        let other = try await PolicyBench()
        try await other.engine.keep(configuration: BackendConfiguration())
        #expect(try PolicyEngine.kept(in: other.provider) != nil)
    }

    /// Nothing was read and no session begun: the first change meets what is kept all the same.
    @Test(arguments: [true, false])
    func keptPoliciesCountFromTheFirstChangeOn(_ isInODataForm: Bool) async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        _ = try await bench.engine.read("Items")
        var kept = BackendConfiguration()
        kept.maxStoreSize = 0
        let pattern = try #require(PathPattern("Items(1)"))
        kept.policies = [
            PathPolicy(pattern: pattern, policy: ResourcePolicy(updatePolicy: .updateIfOnline))
        ]
        try await bench.engine.keep(configuration: kept)
        try await bench.engine.setPolicy(
            ResourcePolicy(updatePolicy: .updateIfOnline),
            for: "Items(2)"
        )
        for (url, code) in [
            ("Items(1)", OfflineODataError.Code.offline), ("Items(2)", .offline),
            ("Items(3)", .quotaExceeded),
        ] {
            let other = try await PolicyBench(after: bench)
            other.network.set(isReachable: false)
            guard isInODataForm else {
                let error = await #expect(throws: OfflineODataError.self) {
                    if url == "Items(3)" {
                        try await other.provider.createEntity(
                            EntityValue(entitySet: "Items", ["ID": 3])
                        )
                    } else {
                        var item = try #require(try await other.provider.executeQuery(url).first)
                        item["Name"] = "mine"
                        try await other.provider.updateEntity(item)
                    }
                }
                #expect(error?.code == code)
                continue
            }
            let response = await other.provider.respond(
                to: HTTPRequest(
                    method: url == "Items(3)" ? "POST" : "PATCH",
                    url: url == "Items(3)" ? "Items" : url,
                    headers: ["Content-Type": "application/json"],
                    body: Array("{\"Name\":\"mine\"}".utf8)
                )
            )
            #expect(response.status == (code == .offline ? 503 : 507))
        }
        #expect(try await bench.provider.requestQueueIsEmpty())
    }

    @Test func aConfigurationThatIsKeptLimitsTheNextChange() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.configuration()
        var kept = BackendConfiguration()
        kept.maxStoreSize = 0
        try await bench.engine.keep(configuration: kept)
        let error = await #expect(throws: OfflineODataError.self) {
            try await bench.provider.createEntity(EntityValue(entitySet: "Items", ["ID": 3]))
        }
        #expect(error?.code == .quotaExceeded)
    }
}
