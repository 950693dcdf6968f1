import TestSupport
import Testing

/// Random sequences of changes, refusals and synchronisation on a store beside a plain model of it.
@Suite struct ModelTests {
    /// Sequences of one run.
    static let seeds = TestScale.seeds(16, soak: 4000)

    /// Steps of a sequence.
    static let stepCount = 40

    /// Sequences that run at the same time: each has several files open.
    static let laneCount = 4

    @Test(arguments: 0..<laneCount)
    func agreesWithThePlainModel(_ lane: Int) async throws {
        for seed in Self.seeds where seed % Self.laneCount == lane {
            var run = try await ModelRun(seed: UInt64(seed))
            guard try await run.run(steps: Self.stepCount) else { return }
        }
    }
}
