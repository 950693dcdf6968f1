import TestSupport
import Testing

/// Several stores and others work on one service at random; in the end all agree with a plain model of what the service committed.
@Suite struct OracleTests {
    static let lives = SeededLives(12, soak: 2_000)
    static let stepCount = TestScale.size(60, soak: 120)

    @Test(arguments: 0..<SeededLives.laneCount)
    func storesAgreeWithTheServiceAtTheEnd(_ lane: Int) async {
        await Self.lives.live(lane) { seed in
            var run = try OracleRun(seed: seed)
            await run.run(steps: Self.stepCount)
        }
    }
}
