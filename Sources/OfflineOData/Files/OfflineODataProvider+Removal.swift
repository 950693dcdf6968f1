import OfflineProvider
import OfflineValues
import OfflineStore
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
        try await removeLocked(force: force)
        lifecycle.guarded { $0 = .closed }
    }

    /// Removes the files inside of a transaction: what another process changes at the same time is seen before, or refused there.
    private func removeLocked(force: Bool) async throws {
        let path = settings.storeFile
        guard StoreFiles.exists(path) else { return try await Self.removeUnlocked(path) }
        do {
            try await store.file.writeAndRollBack { connection in
                let statuses = QueueEntry.Status.allCases
                let count = force ? 0 : try RequestQueue(connection).count(of: statuses)
                guard count == 0 else { throw Self.refusal(path, count) }
                try StoreFiles.removeLocked(path)
            }
        } catch {
            guard force else { throw OfflineODataError.mapping(error, of: path) }
            // It is damaged, or cannot be written.
            try await Self.removeUnlocked(path)
        }
    }

    private static func removeUnlocked(_ path: String) async throws {
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
        let name = path
        let path = StoreFiles.resolved(name)
        do {
            try await DiskWork.run { try StoreFiles.check(path, key: key?.key) }
        } catch {
            throw OfflineODataError.mapping(error, of: path)
        }
        let lock = try await SyncLock(besides: path, waiting: wait)
        defer { withExtendedLifetime(lock) {} }
        do {
            try await removeStore(at: path, key, force: force)
        } catch {
            guard force else { throw error }
            // It is so damaged that it cannot be opened, or its key is another one.
            try await removeUnlocked(path)
        }
        // A symbolic link would lead nowhere.
        if name != path { try await removeUnlocked(name) }
    }

    /// Removes a store that can be opened.
    private static func removeStore(
        at path: String,
        _ key: OfflineODataEncryptionKey?,
        force: Bool
    ) async throws {
        let parameters = OfflineODataParameters()
        parameters.storeKey = key
        do {
            try await make(storeFile: path, parameters: parameters).removeLocked(force: force)
        } catch let error as OfflineODataError {
            guard error.code == .notAStore else { throw error }
            throw OfflineODataError(.invalidInput, error.message, cause: error, code: .storage)
        }
    }

    private func checkNothingWaits() async throws {
        let status = try await status()
        let count = status.queueCount + status.errorCount
        guard count == 0 else { throw Self.refusal(settings.storeFile, count) }
    }

    private static func refusal(_ path: String, _ count: Int) -> OfflineODataError {
        OfflineODataError(
            .preconditionFailed,
            "\(path) holds \(count) \(count == 1 ? "change" : "changes") that the service does not have",
            details: [
                "upload what waits and decide about what was refused, or remove the store by force"
            ]
        )
    }
}
