/// The files of a store: the one named, and what stands beside it.
enum StoreFiles {
    /// SQLite's files, the pages of a download on their way, the lock.
    private static let suffixes = [
        "-wal", "-shm", "-journal", "-staging", "-staging-wal", "-staging-shm", "-staging-journal",
        "-sync", "",
    ]

    /// Where SQLite's header has the number of the application that owns the file, and that of ours
    /// (https://www.sqlite.org/fileformat.html § 1.3).
    private static let applicationID = (offset: 68, bytes: Array("ODOS".utf8))

    /// Checks that a file is a store, damaged or not, or empty, as one is whose making was cut.
    ///
    /// - Throws: ``CommandFailure`` where it is anything else: that is not ours to remove.
    static func check(_ store: String) throws(CommandFailure) {
        let head = try FileBytes.head(of: store, count: 100)
        if head.isEmpty { return }
        guard head.dropFirst(applicationID.offset).starts(with: applicationID.bytes) else {
            throw CommandFailure(
                .invalid,
                "\(store) is no offline store, so it is left alone",
                advice: "Remove it by other means if it has to go."
            )
        }
    }

    /// Removes all of them; the store itself last.
    ///
    /// - Throws: ``CommandFailure`` where one cannot be removed.
    static func remove(_ store: String) throws(CommandFailure) {
        for suffix in suffixes { try FileBytes.remove(store + suffix) }
    }
}
