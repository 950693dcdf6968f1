import ODataProtocol
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
}
