import CRecordingVFS
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// Policies act, and the machine ends at each moment at which something is written: nothing pending is lost, and nothing is evicted
/// that may not be.
@Suite struct PolicyCutTests {
    /// Moments that are tried.
    private static let cutCount = 24

    @Test func keepsWhatIsPendingAndWhatIsNotStale() async throws {
        let directory = try ScratchDirectory()
        try #require(unsafe recording_begin(directory.path) == 0)
        defer { unsafe recording_end(directory.path) }
        try await PoliciesAtWork.prepare(directory.path)
        var ends = [unsafe recording_count(directory.path)]
        try await Self.act(in: directory.path) {
            ends.append(unsafe recording_count(directory.path))
        }
        let events = ends[0]...ends[ends.count - 1]
        let cuts = events.filter { event in
            ends.contains(event) || Self.isSync(event - 1, directory.path)
                || Self.isSync(event, directory.path)
        }
        try #require(cuts.count > PoliciesAtWork.steps.count)
        for cut in TestScale.sample(cuts, of: Self.cutCount) {
            let finished = ends.dropFirst().count { $0 <= cut }
            // A killed process leaves what it has written; a power cut, what it has synced.
            for damage in [recording_kept, recording_lost, recording_torn] {
                let files = try ScratchDirectory()
                let code = unsafe recording_rebuild(
                    directory.path,
                    files.path,
                    cut,
                    damage,
                    UInt32(cut)
                )
                try #require(code == 0)
                try await PoliciesAtWork.check(
                    files.path,
                    finished: finished,
                    "cut after event \(cut), \(finished) steps were over, damage \(damage.rawValue)"
                )
            }
        }
    }

    private static func isSync(_ event: Int32, _ path: String) -> Bool {
        unsafe recording_is_sync(path, event) != 0
    }

    /// Lets policies act step by step.
    private static func act(in path: String, _ stepEnded: () -> Void) async throws {
        let network = ManualReachability()
        network.set(isReachable: false)
        let clock = TestClock(PoliciesAtWork.later)
        let engine = try await PoliciesAtWork.engine(path, network, clock)
        for step in PoliciesAtWork.steps {
            try await step.run(engine, network, clock)
            stepEnded()
        }
        await engine.stop()
    }
}
