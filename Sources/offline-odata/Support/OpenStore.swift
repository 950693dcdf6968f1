import OfflineOData
import OfflineStore

/// Opens a store's file without any service, for commands that need no more.
enum OpenStore {
    /// Opens a store that is there.
    ///
    /// - Throws: ``CommandFailure`` where it is missing or no store.
    static func existing(_ path: String) throws(CommandFailure) -> LocalStore {
        do {
            return try LocalStore(path: path, isCreating: false)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Runs work on a store's file.
    ///
    /// - Throws: ``CommandFailure``.
    static func mapping<R>(_ work: () async throws -> R) async throws(CommandFailure) -> R {
        do {
            return try await work()
        } catch {
            throw CommandFailure(error)
        }
    }
}
