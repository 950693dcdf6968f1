import TestSupport
import Testing

/// Several stores and others work on one service at random; in the end all agree with a plain model of what the service committed.
@Suite struct OracleTests {
    /// Lives of one run.
    static let lives = TestScale.seeds(12, soak: 2_000)
    /// Steps of a life.
    static let stepCount = TestScale.size(60, soak: 120)
    /// Lives that run at the same time: each has several files open.
    static let laneCount = 4

    @Test(arguments: 0..<laneCount)
    func everybodyAgreesInTheEnd(_ lane: Int) async throws {
        for number in Self.lives where number % Self.laneCount == lane {
            var run = try OracleRun(seed: UInt64(number))
            guard try await run.run(steps: Self.stepCount) else { return }
        }
    }
}
