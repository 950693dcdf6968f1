@testable import OfflinePolicies
import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport
import Testing

@testable import OfflineResources

/// Refreshes in the background: how many at a time, how often, and by which policies.
@Suite struct RefreshTests {
    /// Requests that wait until the test lets them go.
    private final class Barrier: Sendable {
        private let state = Mutex<(open: Bool, waiting: [CheckedContinuation<Void, Never>])>(
            (false, [])
        )

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.guarded { state in
                    if !state.open { state.waiting.append(continuation) }
                    return state.open
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.guarded { state in
                state.open = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    private let scheduling = ResourcePolicy(fetchPolicy: .fromCacheScheduleRefresh)

    @Test func refreshesAFewResourcesAtATimeAndEachOnce() async throws {
        let barrier = Barrier()
        let bench = try await PolicyBench { _ in
            await barrier.pass()
            return LiteralService.items([1])
        }
        for number in 1...5 {
            for _ in 1...3 {
                let answer = try await bench.engine.read("Items?$top=\(number)", policy: scheduling)
                #expect(answer.entities == nil)
            }
        }
        barrier.open()
        await bench.engine.finishRefreshes()
        #expect(bench.service.asked.count == 5)
        #expect(bench.engine.peakRefreshCount == 2)
        #expect(try await bench.engine.storedResources().count == 5)
    }

    @Test func joinsReadersOfOneResource() async throws {
        let barrier = Barrier()
        let bench = try await PolicyBench { _ in
            await barrier.pass()
            return LiteralService.items([1])
        }
        let engine = bench.engine
        let first = Task { try await engine.read("Items").ids }
        let second = Task { try await engine.read("Items").ids }
        while bench.service.asked.isEmpty { await Task.yield() }
        barrier.open()
        #expect(try await first.value == [1])
        #expect(try await second.value == [1])
        #expect((1...2).contains(bench.service.asked.count))
    }

    /// A reader that comes while the resource is refreshed beside another read has what the refresh brings.
    @Test func joinsAReaderAndARefresh() async throws {
        let barrier = Barrier()
        let bench = try await PolicyBench { _ in
            await barrier.pass()
            return LiteralService.items([1])
        }
        let engine = bench.engine
        _ = try await engine.read("Items", policy: scheduling)
        while bench.service.asked.isEmpty { await Task.yield() }
        let reader = Task { try await engine.read("Items").ids }
        while engine.readerCount(of: "Items") < 2 { await Task.yield() }
        barrier.open()
        #expect(try await reader.value == [1])
        #expect(bench.service.asked.count == 1)
    }

    /// An answer that nothing has changed says only what it says (RFC 9111 § 4.3.4).
    @Test func keepsThePoliciesOfHeadersThatComeNoMore() async throws {
        let bench = try await PolicyBench { request in
            guard request.headers["If-None-Match"] == nil else { return HTTPResponse(status: 304) }
            return LiteralService.items(
                [1],
                ["ETag": "\"1\"", "Oracle-Mobile-Sync-Evict": "Sun, 09 Sep 2001 02:46:40 GMT"]
            )
        }
        for _ in 1...2 {
            _ = try await bench.engine.read("Items")
            let stored = try #require(try await bench.engine.storedResource("Items"))
            #expect(
                stored.policy.evictionPolicy == ResolvedPolicy(.onExpiryAtStartup, from: .header)
            )
            #expect(stored.policy.expirationPolicy.value == .after)
        }
        #expect(bench.service.asked.count == 2)
    }

    @Test func leavesTheCopyWhereARefreshFails() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        bench.service.set { _ in LiteralService.json("{}", status: 500) }
        #expect(try await bench.engine.read("Items", policy: scheduling).ids == [1, 2])
        await bench.engine.finishRefreshes()
        #expect(try await bench.engine.storedResource("Items")?.fetched == bench.clock.now)
        await #expect(throws: OfflineODataError.self) { try await bench.engine.refresh("Items") }
    }

    @Test func refreshesByThePoliciesStoredWithTheResource() async throws {
        let bench = try await PolicyBench()
        let policy = ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        _ = try await bench.engine.read("Items", policy: policy, headers: ["X-Own": "1"])
        _ = try await bench.engine.read("Items", policy: policy)
        bench.clock.advance(100)
        #expect(try await bench.engine.scheduleRefreshOfExpired() == 2)
        await bench.engine.finishRefreshes()
        let stored = try await bench.engine.storedResources()
        #expect(stored.count == 2)
        for resource in stored {
            #expect(resource.fetched == bench.clock.now)
            #expect(resource.policy.expireAfter == ResolvedPolicy(60, from: .request))
        }
        let own = bench.transport.requests.filter { $0.headers["X-Own"] == "1" }
        #expect(own.count == 2)
    }

    @Test func refreshesInTheBackgroundByTheStoredPolicies() async throws {
        let bench = try await PolicyBench()
        let policy = ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        _ = try await bench.engine.read("Items", policy: policy)
        bench.clock.advance(10)
        _ = try await bench.engine.read("Items", policy: scheduling)
        await bench.engine.finishRefreshes()
        let stored = try #require(try await bench.engine.storedResource("Items"))
        #expect(stored.fetched == bench.clock.now)
        #expect(stored.policy.expireAfter == ResolvedPolicy(60, from: .request))
        #expect(stored.expires == bench.clock.now.addingTimeInterval(60))
    }

    @Test(arguments: [PeriodicRefreshPolicy.none, .expiredItemsOnStartup])
    func refreshesExpiredCopiesAtStartup(_ policy: PeriodicRefreshPolicy) async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        var options = PolicyEngineOptions()
        var configuration = BackendConfiguration()
        configuration.periodicRefreshPolicy = policy
        options.configuration = configuration
        let restarted = try await PolicyBench(after: bench, options)
        try await restarted.engine.start()
        await restarted.engine.finishRefreshes()
        #expect(restarted.service.asked.count == (policy == .none ? 0 : 1))
        #expect(try await restarted.engine.storedResource("Items")?.isExpired == (policy == .none))
    }

    @Test func refreshesPeriodically() async throws {
        var options = PolicyEngineOptions()
        var configuration = BackendConfiguration()
        configuration.periodicRefreshPolicy = .expiredItemsPeriodically
        configuration.periodicRefreshInterval = 30
        options.configuration = configuration
        let bench = try await PolicyBench(options)
        _ = try await bench.engine.read(
            "Items",
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        )
        try await bench.engine.start()
        bench.clock.advance(30)
        await bench.clock.wake()
        bench.clock.advance(31)
        await bench.clock.wake()
        while bench.service.asked.count < 2 { await Task.yield() }
        await bench.engine.stop()
        #expect(bench.clock.waits.first == .seconds(30))
        #expect(bench.service.asked.count == 2)
    }

    @Test func saysWhichRefreshesFailed() async throws {
        let stale = ResourcePolicy(expirationPolicy: .after, expireAfter: 0)
        let bench = try await PolicyBench { request in
            request.url.contains("Items") ? LiteralService.items([1]) : nil
        }
        _ = try await bench.engine.read("Items", policy: stale)
        _ = try await bench.engine.read("Items?$top=1", policy: stale)
        _ = try await bench.engine.read("Items?$top=2")
        bench.service.set { request in
            request.url.contains("top") ? HTTPResponse(status: 500) : LiteralService.items([1, 2])
        }
        let report = try await bench.engine.refreshExpired()
        #expect(report.refreshed == ["Items"])
        #expect(report.failures.map(\.url) == ["Items?$top=1"])
        #expect(report.failures.first?.error.httpStatus == 500)
        #expect(
            try await bench.engine.read("Items", policy: ResourcePolicy(fetchPolicy: .fromCache))
                .ids == [1, 2]
        )
        // What is named is fetched whatever its age.
        let named = try await bench.engine.refresh(["/Items?$top=2", "Items"])
        #expect(named.refreshed == ["Items"])
        #expect(named.failures.map(\.url) == ["Items?$top=2"])
        bench.network.set(isReachable: false)
        await #expect(throws: OfflineODataError.self) { try await bench.engine.refreshExpired() }
    }

    @Test func remembersWhatFailedInTheBackground() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        bench.service.set { _ in HTTPResponse(status: 500) }
        _ = try await bench.engine.read("Items", policy: scheduling)
        await bench.engine.finishRefreshes()
        let failures = bench.engine.takeRefreshFailures()
        #expect(failures.map(\.url) == ["Items"])
        #expect(failures.first?.error.httpStatus == 500)
        #expect(bench.engine.takeRefreshFailures().isEmpty)
    }
}
