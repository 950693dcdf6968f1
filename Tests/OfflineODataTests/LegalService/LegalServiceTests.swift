import TestSupport
import Testing

/// A store lives beside services of random traits: nothing is lost, nothing doubled, and in the end both agree.
@Suite struct LegalServiceTests {
    static let lives = SeededLives(60, soak: 2_000)

    @Test(arguments: 0..<SeededLives.laneCount)
    func agreesWithEveryLegalService(_ lane: Int) async {
        await Self.lives.live(lane) { seed in
            let life = LegalLife(seed: seed)
            let run = try LegalRun(life)
            guard let failure = await run.run() else { return }
            let short = await LegalShrinker.shrink(life, failure)
            Issue.record(
                """
                seed \(seed): \(failure.kind): \(failure.text)
                shortest: \(short.life.text)
                \(short.failure.kind): \(short.failure.text)
                \(short.log.joined(separator: "\n"))
                """
            )
        }
    }
}
