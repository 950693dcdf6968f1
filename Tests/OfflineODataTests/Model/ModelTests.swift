import FoundationEssentials
import Testing

/// Random sequences of changes, refusals and synchronisation on a store beside a plain model of it.
@Suite struct ModelTests {
    /// Sequences of one run; the soak run has more.
    static let sequenceCount =
        ProcessInfo.processInfo.environment["OFFLINE_ODATA_TEST_SCALE"] == "soak" ? 2000 : 12

    /// Steps of a sequence.
    static let stepCount = 40

    @Test(arguments: 0..<sequenceCount)
    func agreesWithThePlainModel(_ number: Int) async throws {
        var run = try await ModelRun(seed: UInt64(number))
        try await run.run(steps: Self.stepCount)
    }
}
