import Foundation
import OfflinePolicies
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// A clock that jumps while policies act: nothing pending is lost, and nothing is evicted whose age is not known.
@Suite struct ClockJumpTests {
    /// Where policies act by the time.
    enum Point: String, CaseIterable, Sendable {
        case start
        case evictStale
        case readByExpiry
        case refreshOfExpired
        case periodicRefresh
    }

    private static let jumps = [-1_000_000.0, -1, 60, 1_000_000_000]

    @Test(arguments: Point.allCases, jumps)
    func keepsWhatIsPendingAndWhatMayNotGo(_ point: Point, _ jump: Double) async throws {
        let directory = try ScratchDirectory()
        try await PoliciesAtWork.prepare(directory.path)
        let network = ManualReachability()
        let clock = TestClock(PoliciesAtWork.start)
        var configuration = BackendConfiguration()
        configuration.periodicRefreshPolicy =
            point == .periodicRefresh ? .expiredItemsPeriodically : .none
        let engine = try await PoliciesAtWork.engine(
            directory.path,
            network,
            clock,
            configuration
        )
        if point == .periodicRefresh { try await engine.start() }
        clock.advance(jump)
        try await act(point, engine, clock)
        await engine.stop()
        network.set(isReachable: false)
        try await PoliciesAtWork.checkPending(engine, finished: 0, "\(point) \(jump)")
        try await expectCopies(point, jump, engine)
        // The clock is right again: what was refreshed in the meantime is of the future, or of long ago.
        clock.advance(-jump)
        try await PoliciesAtWork.checkPending(engine, finished: 0, "\(point) \(jump), back")
        let left = try await engine.provider.executeQuery("Items").count
        // What is fetched anew keeps the policies that were stored with it.
        let fetched = [.refreshOfExpired: 4, .periodicRefresh: 4, .readByExpiry: 3][point] ?? 0
        let count = try await engine.start()
        #expect(count == (jump < -3_600 ? fetched : 0), "\(point) \(jump), back")
        #expect(try await engine.provider.executeQuery("Items").count == left - count)
        try await PoliciesAtWork.checkPending(engine, finished: 0, "\(point) \(jump), start")
    }

    private func act(_ point: Point, _ engine: PolicyEngine, _ clock: TestClock) async throws {
        switch point {
        case .start: try await engine.start()
        case .evictStale: try await engine.evictExpired()
        case .readByExpiry:
            for url in [PoliciesAtWork.current, PoliciesAtWork.tracked, PoliciesAtWork.expired] {
                let answer = try await engine.read(
                    url,
                    policy: ResourcePolicy(fetchPolicy: .fromServiceOnCacheMissOrExpiry)
                )
                #expect(answer.entities?.isEmpty == false)
                #expect(!answer.origin.isExpired)
            }
        case .refreshOfExpired:
            try await engine.scheduleRefreshOfExpired()
            await engine.finishRefreshes()
        case .periodicRefresh:
            await clock.wake()
            // The next wait begins when the refreshes are scheduled.
            await clock.wake()
            await engine.finishRefreshes()
        }
    }

    /// Only a clock that went forward lets copies go, and only where they are evicted.
    private func expectCopies(_ point: Point, _ jump: Double, _ engine: PolicyEngine) async throws {
        func isHeld(_ url: String) async throws -> Bool {
            try await !engine.provider.executeQuery(url).isEmpty
        }
        let evicts = point == .start || point == .evictStale
        #expect(try await isHeld("Items(7)") == !(evicts && jump > 10))
        #expect(try await isHeld("Items(1)") == !(evicts && jump > 3_600))
        #expect(try await isHeld("Items(21)") == !(evicts && jump > 3_600))
        // It is evicted by hand only.
        #expect(try await isHeld("Items(40)") == !(point == .evictStale && jump > 10))
    }
}
