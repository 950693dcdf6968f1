import OfflineStore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The files of a store: the one named, and what stands beside it.
enum StoreFiles {
    /// SQLite's files, the pages of a download on their way, the lock.
    private static let suffixes = [
        "-wal", "-shm", "-journal", "-staging", "-staging-wal", "-staging-shm", "-staging-journal",
        "-sync", "",
    ]

    /// Checks that a file is a store, damaged or not, or empty, as one is whose making was cut.
    ///
    /// - Throws: ``OfflineODataError`` where it is anything else: that is not ours to remove.
    static func check(_ store: String) throws {
        guard unsafe access(store, F_OK) == 0 else { throw failure("cannot read", store) }
        guard try !StoreFile.isStore(store) else { return }
        throw OfflineODataError(
            .invalidInput,
            "\(store) is no offline store, so it is left alone",
            code: .notAStore
        )
    }

    /// Removes all of them; the store itself last.
    ///
    /// - Throws: ``OfflineODataError`` where one cannot be removed.
    static func remove(_ store: String) throws(OfflineODataError) {
        for suffix in suffixes {
            guard unsafe unlink(store + suffix) != 0, errno != ENOENT else { continue }
            throw failure("cannot remove", store + suffix)
        }
    }

    private static func failure(_ what: String, _ path: String) -> OfflineODataError {
        let number = errno
        let reason = unsafe String(cString: strerror(number)).lowercased()
        let isInvalid = [ENOENT, EACCES, EISDIR, ENOTDIR].contains(number)
        return OfflineODataError(
            isInvalid ? .invalidInput : .internal,
            "\(what) \(path): \(reason)",
            code: isInvalid ? .cannotOpen : .storage
        )
    }
}
