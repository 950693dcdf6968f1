import StoreRecords
package import ODataSQLite
package import OfflineValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The files of a store: the one named, and what stands beside it.
package enum StoreFiles {
    /// SQLite's files, the pages of a download on their way, the lock.
    private static let suffixes = [
        "-wal", "-shm", "-journal", "-staging", "-staging-wal", "-staging-shm", "-staging-journal",
        "-sync", StoreRekeying.mark, StoreRekeying.mark + "-journal", "",
    ]

    /// Checks that a file is a store, damaged or not, or empty, as one is whose making was cut.
    ///
    /// - Throws: ``OfflineODataError`` where it is anything else: that is not ours to remove.
    package static func check(_ store: String, key: EncryptionKey?) throws {
        guard unsafe access(store, F_OK) == 0 else { throw failure("cannot read", at: store) }
        // Opening it would leave files of this user's beside it, which its owner could not write.
        if FileFault.reading(store) == nil, let fault = FileFault.writing(store) {
            throw OfflineODataError(.invalidInput, "\(store) can be read, not removed: \(fault)")
        }
        guard try !StoreFile.isStore(store, key: key) else { return }
        throw OfflineODataError(
            .invalidInput,
            "\(store) is no offline store, so it is left alone",
            code: .notAStore
        )
    }

    /// The file that a path leads to: SQLite follows symbolic links, and what stands beside a store has to be one for all of its names.
    package static func resolved(_ path: String) -> String {
        var path = path
        // As many as the systems follow themselves.
        for _ in 0..<40 {
            // To ask for the target of what is no link makes an error that takes longer than the opening of the file.
            guard isLink(path),
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            else { break }
            let slash = path.lastIndex(of: "/")
            let folder = slash.map { String(path[...$0]) } ?? ""
            path = target.hasPrefix("/") ? target : folder + target
        }
        return path
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether there is a file at a path.
    package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// What stands between the name of a store and the number of a copy that a comparison makes.
    package static let comparisonMark = "-check-"
    /// The same for a copy that is sent away.
    package static let copyMark = "-copy-"
    /// The same for what a read of the service gathers.
    package static let fetchMark = "-fetch-"

    /// What stands before the name of the body of an upload that a background session carries.
    static let uploadMark = "-upload-"

    /// Paths of copies of a store that are beside it, as where a process was killed while it used one.
    package static func copies(of store: String, marks: [String]) -> [String] {
        let slash = store.lastIndex(of: "/")
        let folder = slash.map { String(store[...$0]) } ?? ""
        let name = slash.map { String(store[store.index(after: $0)...]) } ?? store
        let files =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder))
            ?? []
        var found: Set<String> = []
        for file in files {
            guard let mark = marks.first(where: { file.hasPrefix(name + $0) }) else { continue }
            let number = file.dropFirst((name + mark).count).prefix(while: \.isHexDigit)
            let rest = file.dropFirst((name + mark).count + number.count)
            guard !number.isEmpty, suffixes.contains(String(rest)) else { continue }
            found.insert(folder + name + mark + number)
        }
        return found.sorted()
    }

    /// Removes all of them, with copies of the store; the store itself last.
    ///
    /// - Throws: ``OfflineODataError`` where one cannot be removed.
    package static func removeWithCopies(_ store: String) throws(OfflineODataError) {
        try removeCopies(of: store)
        try remove(store)
    }

    /// Removes all of them where the caller holds the store's write lock: the store itself first, so that no other process opens it
    /// and writes into files that go.
    ///
    /// A new one may be made at the path at once: SQLite's other files go only where they are those of this one.
    /// - Throws: ``OfflineODataError`` where one cannot be removed.
    package static func removeLocked(_ store: String) throws(OfflineODataError) {
        let logs = sqliteSuffixes.map { store + $0 }.map { (path: $0, file: FileIdentity($0)) }
        guard unsafe unlink(store) == 0 else { throw failure("cannot remove", at: store) }
        for log in logs where log.file != nil && FileIdentity(log.path) == log.file {
            _ = unsafe unlink(log.path)
        }
        try removeCopies(of: store)
        try remove(store, suffixes.filter { !$0.isEmpty && !sqliteSuffixes.contains($0) })
    }

    private static let sqliteSuffixes = ["-wal", "-shm", "-journal"]

    private static func removeCopies(of store: String) throws(OfflineODataError) {
        for copy in copies(of: store, marks: [comparisonMark, copyMark, fetchMark]) {
            try remove(copy)
        }
        for mark in [comparisonMark, fetchMark] {
            unsafe unlink(ScratchLock.path(besides: store, mark: mark))
        }
        for file in BesideFiles.all(of: store, marks: [uploadMark, StoreRekeying.journalsMark]) {
            _ = unsafe unlink(file)
        }
    }

    /// Removes the file with what belongs to it; the file itself last.
    ///
    /// - Throws: ``OfflineODataError`` where one cannot be removed.
    package static func remove(_ store: String) throws(OfflineODataError) {
        try remove(store, suffixes)
    }

    private static func remove(_ store: String, _ suffixes: [String]) throws(OfflineODataError) {
        for suffix in suffixes {
            guard unsafe unlink(store + suffix) != 0, errno != ENOENT else { continue }
            throw failure("cannot remove", at: store + suffix)
        }
    }

    private static func failure(_ what: String, at path: String) -> OfflineODataError {
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
