import ODataHTTP
import OfflineOData
import Testing

@testable import OfflineResources

/// Entities that the service has deleted, met by refreshes beside reads.
@Suite struct GoneEntityTests {
    enum Refresh: CaseIterable { case behindARead, byURL, byURLs, ofExpired, inTheBackground }

    private func refresh(_ refresh: Refresh, _ bench: PolicyBench) async throws {
        switch refresh {
        case .behindARead:
            _ = try await bench.engine.read(
                "Items(2)",
                policy: ResourcePolicy(fetchPolicy: .fromCacheScheduleRefresh)
            )
        case .byURL: try await bench.engine.refresh("Items(2)")
        case .byURLs: #expect(try await bench.engine.refresh(["Items(2)"]).failures.isEmpty)
        case .ofExpired: #expect(try await bench.engine.refreshExpired().failures.isEmpty)
        case .inTheBackground: try await bench.engine.scheduleRefreshOfExpired()
        }
        await bench.engine.finishRefreshes()
    }

    private func kept(_ bench: PolicyBench) async throws -> EntityValue? {
        try await bench.engine.read("Items(2)", policy: ResourcePolicy(fetchPolicy: .fromCache))
            .entities?.first
    }

    /// A bench that has a copy of an item, stale by now.
    private func bench(_ items: VersionedItems) async throws -> PolicyBench {
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read(
            "Items(2)",
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        )
        bench.clock.advance(61)
        return bench
    }

    @Test(arguments: Refresh.allCases)
    func leaveTheStoreWithTheNextRefresh(_ way: Refresh) async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        items.delete(2)
        try await refresh(way, bench)
        #expect(try await kept(bench) == nil)
        #expect(try await bench.engine.storedResources().isEmpty)
        #expect(bench.engine.takeRefreshFailures().isEmpty)
    }

    /// A gateway answers in the place of the service: to everything, or to a URL that it does not like.
    @Test(arguments: Refresh.allCases, [true, false])
    func stayWhereAGatewayAnswers(_ way: Refresh, _ isEverything: Bool) async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        let answer = items.answer
        bench.service.set { request in
            guard isEverything || request.url.hasSuffix("Items(2)") else {
                return try await answer(request)
            }
            return HTTPResponse(
                status: 404,
                headers: ["Content-Type": "text/html"],
                body: Array("<html>nothing here</html>".utf8)
            )
        }
        if way == .behindARead || way == .inTheBackground {
            try await refresh(way, bench)
        } else {
            try? await bench.engine.refresh("Items(2)")
        }
        #expect(try await kept(bench) != nil)
    }

    @Test(arguments: Refresh.allCases)
    func stayWhileTheyAreChangedHere(_ way: Refresh) async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        var item = try #require(try await kept(bench))
        item["Name"] = "changed here"
        try await bench.provider.updateEntity(item)
        items.delete(2)
        try await refresh(way, bench)
        #expect(try await kept(bench)?["Name"] == "changed here")
        #expect(try await bench.provider.requestQueue().count == 1)
    }

    @Test func areNamed() async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        items.delete(2)
        let report = try await bench.engine.refreshExpired()
        #expect(report.removed == ["Items(2)"])
        #expect(report.refreshed.isEmpty)
    }

    /// What was never read leaves nothing behind, and says why.
    @Test func areRefusedWhereNothingIsKept() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        let report = try await bench.engine.refresh(["Items(77)"])
        #expect(report.failures.map(\.error.httpStatus) == [404])
    }
}
