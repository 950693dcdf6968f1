import OfflineProvider
import OfflineValues
import ODataSQLite
import StoreRecords
import OfflineSync

/// The key of a store that is not open.
extension OfflineODataProvider {
    /// Gives a store another key, encrypts a plain one, or makes a plain one of it; everything in it stays.
    ///
    /// The store is copied, so there has to be room for it twice. Pages that an unfinished download has staged are lost, and come
    /// again with the next one. What a plain file had on the disk may be found there until the disk has written over it.
    ///
    /// - Parameters:
    ///   - path: Path of the store's file.
    ///   - old: Its present key; nil where it is not encrypted.
    ///   - new: Its key from now on; nil to have it in plain text.
    ///   - wait: Time that another process's synchronisation is waited for.
    /// - Throws: ``OfflineODataError`` where the file is no store, `old` is not its key, it is open in another place, or the SQLite of
    ///   this program cannot encrypt. The store is as it was then.
    public static func changeEncryptionKey(
        ofStoreAt path: String,
        from old: OfflineODataEncryptionKey?,
        to new: OfflineODataEncryptionKey?,
        wait: Duration = .zero
    ) async throws {
        guard old?.key.isEmpty != true, new?.key.isEmpty != true else {
            throw OfflineODataError(.invalidInput, "an encryption key is empty")
        }
        guard old != nil || new != nil else {
            throw OfflineODataError(.invalidInput, "neither the old key nor a new one is given")
        }
        let path = StoreFiles.resolved(path)
        do {
            let isThere = try await DiskWork.run { StoreFiles.exists(path) }
            // The lock is a file beside the store, which is not made where there is none.
            let lock = isThere ? try await SyncLock(besides: path, waiting: wait) : nil
            defer { withExtendedLifetime(lock) {} }
            try await DiskWork.run {
                try StoreRekeying(path, from: old?.key, to: new?.key).run()
            }
        } catch {
            throw OfflineODataError.mapping(error, of: path)
        }
    }
}
