import OfflineProvider
import OfflineValues
import OfflineSync
import ODataValues
import StoreRecords

/// Removing a store from the disk.
extension OfflineODataProvider {
    /// Closes the store and removes its file with everything beside it.
    ///
    /// - Parameter force: Whether it is removed also with changes that the service does not have.
    /// - Throws: ``OfflineODataError`` where changes wait and `force` is not given, or another synchronisation runs.
    public func clear(force: Bool = false) async throws {
        try await settings.log.work("clear") { try await remove(force: force) }
    }

    private func remove(force: Bool) async throws {
        if !force { try await checkNothingWaits() }
        cancelUpload()
        cancelDownload()
        let lock = try await SyncLock(
            besides: settings.storeFile,
            waiting: settings.waitsForOtherProcess
        )
        defer { withExtendedLifetime(lock) {} }
        lifecycle.guarded { $0 = .closed }
        let path = settings.storeFile
        do {
            try await DiskWork.run { try StoreFiles.removeWithCopies(path) }
        } catch {
            throw OfflineODataError.mapping(error, of: path)
        }
    }

    /// Removes the store at a path with everything beside it; with `force` also one that is damaged and cannot be opened.
    ///
    /// - Parameters:
    ///   - path: Path of the store's file.
    ///   - key: The key of an encrypted store.
    ///   - force: Whether it is removed also with changes that the service does not have.
    ///   - wait: Time that another process's synchronisation is waited for.
    /// - Throws: ``OfflineODataError`` where the file is no store, where changes wait and `force` is not given, or another
    ///   synchronisation runs.
    public static func removeStore(
        at path: String,
        key: OfflineODataEncryptionKey? = nil,
        force: Bool = false,
        wait: Duration = .zero
    ) async throws {
        do {
            try await DiskWork.run { try StoreFiles.check(path, key: key?.key) }
        } catch {
            throw OfflineODataError.mapping(error, of: path)
        }
        let lock = try await SyncLock(besides: path, waiting: wait)
        defer { withExtendedLifetime(lock) {} }
        if !force { try await checkNothingWaits(in: path, key) }
        do {
            try await DiskWork.run { try StoreFiles.removeWithCopies(path) }
        } catch {
            throw OfflineODataError.mapping(error, of: path)
        }
    }

    /// Checks a store that may be damaged, so that its pending requests cannot be counted.
    private static func checkNothingWaits(
        in path: String,
        _ key: OfflineODataEncryptionKey?
    ) async throws {
        let parameters = OfflineODataParameters()
        parameters.storeKey = key
        do {
            try await make(storeFile: path, parameters: parameters).checkNothingWaits()
        } catch let error as OfflineODataError {
            guard error.code == .notAStore else { throw error }
            throw OfflineODataError(.invalidInput, error.message, cause: error, code: .storage)
        }
    }

    private func checkNothingWaits() async throws {
        let status = try await status()
        let count = status.queueCount + status.errorCount
        guard count == 0 else {
            throw OfflineODataError(
                .preconditionFailed,
                "\(settings.storeFile) holds \(count) \(count == 1 ? "change" : "changes") that the service does not have",
                details: ["upload them first, or remove the store by force"]
            )
        }
    }
}
