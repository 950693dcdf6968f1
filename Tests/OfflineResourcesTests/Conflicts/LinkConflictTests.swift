import OfflinePolicies
import OfflineOData
import OfflineResources
import Testing

/// Every conflict policy × changes of links that meet other changes at the service; nothing is lost in any cell.
@Suite struct LinkConflictTests {
    /// What the service does with the entity whose link is changed here, or with the one that the link leads to.
    enum Clash: CaseIterable { case linkUpdate, linkLink, linkDelete, linkTargetDelete }

    struct Case: Sendable, CustomStringConvertible {
        var policy: ConflictResolutionPolicy
        var clash: Clash
        var description: String { "\(policy) \(clash)" }

        static let all = ConflictResolutionPolicy.allCases.flatMap { policy in
            Clash.allCases.map { Case(policy: policy, clash: $0) }
        }
    }

    private func bench(_ items: VersionedItems, _ policy: ConflictResolutionPolicy) async throws
        -> PolicyBench
    {
        var options = PolicyEngineOptions()
        options.configuration = BackendConfiguration()
        options.configuration?.defaultPolicy = ResourcePolicy(conflictResolutionPolicy: policy)
        return try await PolicyBench(queries: ["Items"], options, items.answer)
    }

    private func clash(_ clash: Clash, _ items: VersionedItems, _ bench: PolicyBench) async throws {
        bench.network.set(isReachable: false)
        let second = try #require(try await bench.provider.executeQuery("Items(2)").first)
        let first = try #require(try await bench.provider.executeQuery("Items(1)").first)
        try await bench.provider.createLink(from: second, property: "Parent", to: first)
        switch clash {
        case .linkUpdate: items.change(2) { $0.name = "theirs" }
        case .linkLink: items.change(2) { $0.parent = 3 }
        case .linkDelete: items.delete(2)
        case .linkTargetDelete: items.delete(1)
        }
        bench.network.set(isReachable: true)
    }

    private func parent(_ bench: PolicyBench) async throws -> ODataValue? {
        try await bench.provider.executeQuery("Items(2)?$expand=Parent").first?["Parent"]?["ID"]
    }

    @Test(arguments: Case.all)
    func decidesByPolicyAndLosesNothing(_ test: Case) async throws {
        let items = VersionedItems([1: "one", 2: "two", 3: "three"])
        let bench = try await bench(items, test.policy)
        try await clash(test.clash, items, bench)
        let result = try await bench.provider.upload()
        let there = items.items[2]
        let log = try await bench.provider.eventLog().map { $0.details ?? "" }.joined()
        guard [.linkDelete, .linkTargetDelete].contains(test.clash) else {
            // Links have no ETags, and those of their entities do not count: other changes stay, the last link wins.
            #expect(result.succeededCount == 1)
            #expect(there?.parent == 1)
            #expect(there?.name == (test.clash == .linkUpdate ? "theirs" : "two"))
            #expect(try await parent(bench) == 1)
            #expect(try await bench.provider.errorArchive().isEmpty)
            return
        }
        let archive = try await bench.provider.errorArchive()
        #expect(there?.parent == nil)
        guard test.policy == .serverWins else {
            // What cannot be carried out stays in the archive, with its effect, until the application decides.
            #expect(archive.map(\.url) == ["Items(2)/Parent/$ref"])
            #expect(archive.first?.failure?.httpStatus == 404)
            #expect(try await parent(bench) == 1)
            return
        }
        #expect(archive.isEmpty)
        #expect(try await parent(bench) == nil)
        #expect(log.contains("PUT Items(2)/Parent/$ref"))
    }
}
