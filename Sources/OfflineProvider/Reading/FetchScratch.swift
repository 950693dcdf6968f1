import StoreRecords
import OfflineSync

/// The scratch file of one read of the service, which goes with it; files that killed processes have left go with the next one.
///
/// Each has a name of its own: any number of processes may read the same at the same time.
final class FetchScratch: Sendable {
    let staging: StagingFile
    private let place: String
    private let lock: ScratchLock

    init(of store: StoreFile) async throws {
        let lock = try await ScratchLock(besides: store.path, mark: StoreFiles.fetchMark)
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        let place = store.path + StoreFiles.fetchMark + number
        staging = try await DiskWork.run { [key = store.key] in
            try StagingFile(besides: place, encryption: key)
        }
        (self.lock, self.place) = (lock, place)
    }

    /// Removes the files of killed processes, if no fetch is in progress.
    static func removeLeftovers(besides store: String) async {
        guard !StoreFiles.copies(of: store, marks: [StoreFiles.fetchMark]).isEmpty else { return }
        _ = try? await ScratchLock(besides: store, mark: StoreFiles.fetchMark)
    }

    deinit { StagingFile.delete(besides: place) }
}
