import FoundationEssentials
import Testing

/// Random sequences of changes, refusals and synchronisation on a store beside a plain model of it.
@Suite struct ModelTests {
    /// Sequences of one run; the soak run has more.
    static let sequenceCount =
        ProcessInfo.processInfo.environment["OFFLINE_ODATA_TEST_SCALE"] == "soak" ? 4000 : 16

    /// Steps of a sequence.
    static let stepCount = 40

    /// Sequences that run at the same time: each has several files open.
    static let laneCount = 4

    @Test(arguments: 0..<laneCount)
    func agreesWithThePlainModel(_ lane: Int) async throws {
        for number in stride(from: lane, to: Self.sequenceCount, by: Self.laneCount) {
            var run = try await ModelRun(seed: UInt64(number))
            guard try await run.run(steps: Self.stepCount) else { return }
        }
    }
}
