import Dispatch
import Foundation
import OfflineOData
import OfflineResources
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A process is killed while policies act: nothing pending is lost, and nothing is evicted that may not be.
@Suite struct PolicyKillTests {
    static let killCount = TestScale.size(6, soak: 300)
    /// Microseconds, more than a step takes.
    private static let longestDelay = 4_000

    @Test func keepsWhatIsPendingAndWhatIsNotStale() async throws {
        var generator = SeededGenerator(seed: 5)
        for kill in 0..<Self.killCount {
            let directory = try ScratchDirectory()
            try await PoliciesAtWork.prepare(directory.path)
            let step = Int.random(in: 0..<PoliciesAtWork.steps.count, using: &generator)
            let delay = Int.random(in: 0...Self.longestDelay, using: &generator)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = directory.path as String, step = step as Int, delay = delay as Int] in
                try await PolicyKillTests.act(in: path, killedIn: step, after: delay)
            }
            let finished =
                FileManager.default.contents(atPath: directory.path + "/acknowledged")?.count ?? 0
            try await PoliciesAtWork.check(
                directory.path,
                finished: finished,
                "kill \(kill) in step \(step) after \(delay), \(finished) steps were over"
            )
        }
    }

    /// Lets policies act step by step, each acknowledged by a byte in a file, until the process is killed.
    private static func act(in path: String, killedIn last: Int, after delay: Int) async throws {
        let network = ManualReachability()
        network.set(isReachable: false)
        let clock = TestClock(PoliciesAtWork.later)
        let engine = try await PoliciesAtWork.engine(path, network, clock)
        let file = unsafe open(path + "/acknowledged", O_CREAT | O_WRONLY | O_APPEND, 0o600)
        for (index, step) in PoliciesAtWork.steps.enumerated() {
            if index == last {
                let end = DispatchTime.now() + .microseconds(delay)
                DispatchQueue.global().asyncAfter(deadline: end) { kill(getpid(), SIGKILL) }
            }
            try await step.run(engine, network, clock)
            _ = unsafe write(file, "x", 1)
        }
        while true { pause() }
    }
}
