import Synchronization
import Testing

@testable import OfflineSync
@testable import OfflineValues
@testable import OfflineOData

@Suite struct ProgressReporterTests {
    /// Some work of an earlier step may be done again.
    @Test func goesBackToNoEarlierStep() {
        let told = Mutex<[OfflineODataProgress.Step]>([])
        let reporter = ProgressReporter(.download) { progress in
            told.withLock { $0.append(progress.step) }
        }
        reporter.update { $0.step = .mergingData }
        reporter.update { $0.step = .receivingData }
        reporter.update { $0.step = .finished }
        #expect(told.withLock { $0 } == [.mergingData, .mergingData, .finished])
    }
}
