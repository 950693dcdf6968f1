import TestSupport
import Testing

/// Random sequences of every kind of change, refusals and synchronisation on a store in front of a service that is nothing but a plain
/// world, beside a plain model of the store.
@Suite struct WorkshopModelTests {
    static let sequenceCount = TestScale.size(12, soak: 4_000)
    static let stepCount = TestScale.size(40, soak: 200)

    /// Sequences that run at the same time: each has several files open.
    static let laneCount = 4

    @Test(arguments: 0..<laneCount)
    func agreesWithThePlainStore(_ lane: Int) async throws {
        for number in stride(from: lane, to: Self.sequenceCount, by: Self.laneCount) {
            var run = try await WorkshopRun(seed: UInt64(number))
            guard try await run.run(steps: Self.stepCount) else { return }
        }
    }
}
