import ODataProtocol
import OfflineOData
import Synchronization

/// The stores that a command has opened.
///
/// The process ends as soon as its work is done, which may be before SQLite has closed the file. What stood in the write-ahead log
/// then would be missing in a copy of the file alone.
final class OpenStores: Sendable {
    static let shared = OpenStores()

    private let providers = Mutex<[OfflineODataProvider]>([])

    func add(_ provider: OfflineODataProvider) {
        providers.guarded { $0.append(provider) }
    }

    /// Closes them, so that each is one file unless another process has it open.
    func close() async {
        let opened = providers.guarded { providers in
            defer { providers = [] }
            return providers
        }
        for provider in opened { try? await provider.close(force: true) }
    }
}
