#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import OfflineValues
import ODataSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A copy of a store's files in a directory that only this user can read.
///
/// The files are copied as they are and not opened: even a reader of SQLite's would write beside the store.
final class RehearsalCopy: Sendable {
    let path: String
    private let directory: ScratchDirectory

    /// The write-ahead log, and the journal of an interrupted transaction.
    private static let besideSuffixes = ["-wal", "-journal"]
    /// A writer that keeps on writing is waited for so often.
    private static let maximumAttempts = 5

    /// - Throws: ``OfflineODataError`` where the store is being written all the time.
    init(of store: String) throws {
        directory = try ScratchDirectory(for: "rehearsal")
        path = directory.path("store.sqlite")
        do {
            for _ in 0..<Self.maximumAttempts where try copyUnchanged(store) { return }
        } catch {
            remove()
            throw error
        }
        remove()
        throw OfflineODataError(
            .inUse,
            "the store is being written: it cannot be copied now; try again when the download or upload has ended"
        )
    }

    /// Removes the copy.
    func remove() { directory.remove() }

    var byteCount: Int { Self.state(path).size }

    /// Copies the files; answers whether none of them has changed meanwhile.
    private func copyUnchanged(_ store: String) throws -> Bool {
        let manager = FileManager.default
        let before = Self.states(store)
        try? manager.removeItem(atPath: path)
        try FileCopy.write(store, to: path)
        for suffix in Self.besideSuffixes {
            let target = path + suffix
            if manager.fileExists(atPath: target) { try manager.removeItem(atPath: target) }
            // An empty log may be left of another user's.
            guard Self.state(store + suffix).size > 0 else { continue }
            if let fault = FileFault.reading(store + suffix) {
                throw OfflineODataError(.invalidInput, "cannot read \(store + suffix): \(fault)")
            }
            try manager.copyItem(atPath: store + suffix, toPath: target)
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        }
        return Self.states(store) == before
    }

    private static func states(_ store: String) -> [State] {
        [state(store)] + besideSuffixes.map { state(store + $0) }
    }

    private struct State: Equatable {
        var size = -1
        /// Seconds and nanoseconds of the last change.
        var time = [0, 0]
    }

    private static func state(_ path: String) -> State {
        var found = stat()
        guard unsafe stat(path, &found) == 0 else { return State() }
        #if canImport(Darwin)
            let time = found.st_mtimespec
        #else
            let time = found.st_mtim
        #endif
        return State(size: Int(found.st_size), time: [time.tv_sec, time.tv_nsec])
    }
}
