/// The files of a store: the one named, and what stands beside it.
enum StoreFiles {
    /// SQLite's files, the pages of a download on their way, the lock.
    private static let suffixes = [
        "-wal", "-shm", "-journal", "-staging", "-staging-wal", "-staging-shm", "-staging-journal",
        "-sync", "",
    ]

    /// Removes all of them; the store itself last.
    ///
    /// - Throws: ``CommandFailure`` where one cannot be removed.
    static func remove(_ store: String) throws(CommandFailure) {
        for suffix in suffixes { try FileBytes.remove(store + suffix) }
    }
}
