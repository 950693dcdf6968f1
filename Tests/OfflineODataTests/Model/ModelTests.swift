import TestSupport
import Testing

/// Random sequences of changes, refusals and synchronisation on a store beside a plain model of it.
@Suite struct ModelTests {
    static let sequences = SeededLives(16, soak: 4_000)
    static let stepCount = 40

    @Test(arguments: 0..<SeededLives.laneCount)
    func agreesWithThePlainModel(_ lane: Int) async {
        await Self.sequences.live(lane) { seed in
            var run = try await ModelRun(seed: seed)
            try await run.run(steps: Self.stepCount)
        }
    }
}
