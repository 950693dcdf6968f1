import OfflineValues
import ODataValues
import Synchronization

/// What an upload did that failed half-way, on its way to the error that says so.
final class InterruptedUpload: Sendable {
    private let stored = Mutex<OfflineODataUploadResult?>(nil)

    /// Nil where nothing was begun.
    var result: OfflineODataUploadResult? {
        get { stored.guarded { $0 } }
        set { stored.guarded { $0 = newValue } }
    }
}
