import TestSupport
import Testing

/// Random sequences of every kind of change, refusals and synchronisation on a store in front of a service that is nothing but a plain
/// world, beside a plain model of the store.
@Suite struct WorkshopModelTests {
    static let sequences = SeededLives(12, soak: 4_000)
    static let stepCount = TestScale.size(40, soak: 200)

    @Test(arguments: 0..<SeededLives.laneCount)
    func agreesWithThePlainStore(_ lane: Int) async {
        await Self.sequences.live(lane) { seed in
            var run = try await WorkshopRun(seed: seed)
            try await run.run(steps: Self.stepCount)
        }
    }
}
