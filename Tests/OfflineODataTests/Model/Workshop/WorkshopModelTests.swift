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
            guard !Self.knownFailing.contains(seed) else {
                return await withKnownIssue("a deletion of a contained entity is lost") {
                    try await Self.live(seed)
                }
            }
            try await Self.live(seed)
        }
    }

    /// The deletion of an entity that was created inline, contained in one that is still to be created, does not reach the service.
    private static let knownFailing: Set<UInt64> = [5]

    private static func live(_ seed: UInt64) async throws {
        var run = try await WorkshopRun(seed: seed)
        try await run.run(steps: stepCount)
    }
}
