import TestSupport
import Testing

/// Random lives of one kind, several lived at the same time; one that goes wrong keeps no other from being lived.
struct SeededLives {
    let seeds: Range<Int>

    /// How many are lived at the same time: each has several files open.
    static let laneCount = 4

    init(_ usual: Int, soak: Int) { seeds = TestScale.seeds(usual, soak: soak) }

    /// Lives each life of one lane; a life tells of its faults by issues, which name its seed.
    func live(_ lane: Int, _ life: (UInt64) async throws -> Void) async {
        for seed in seeds where seed % Self.laneCount == lane {
            do {
                try await life(UInt64(seed))
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }
}
