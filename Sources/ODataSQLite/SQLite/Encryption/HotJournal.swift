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

/// The rollback journal that a process which was killed has left beside a file (https://www.sqlite.org/fileformat.html § 3).
enum HotJournal {
    /// The largest page there is, in bytes.
    static let headCount = 65_536

    /// Whether there is one that SQLite would play back; where another connection is writing, it is that one's.
    static func stands(beside path: String) -> Bool {
        // A journal that is done with is empty, or its first bytes are zero.
        let file = unsafe open(path + "-journal", O_RDONLY)
        guard file >= 0 else { return false }
        defer { close(file) }
        var first: UInt8 = 0
        return unsafe read(file, &first, 1) == 1 && first != 0
    }

    /// Copies the journal of a file, beside it, and what the file begins with: enough to play the journal back and to read the first
    /// page.
    ///
    /// - Parameter head: The file's first ``headCount`` bytes, read through SQLite (``FileHead/bytes(_:count:)``).
    /// - Returns: The path of the copy.
    static func copy(of path: String, _ head: [UInt8]) throws -> String {
        let copy = path + "-check-" + UUID().uuidString
        try Data(head).write(to: URL(filePath: copy))
        try FileManager.default.copyItem(atPath: path + "-journal", toPath: copy + "-journal")
        return copy
    }

    static func removeCopy(_ copy: String) {
        for file in [copy, copy + "-journal"] { _ = unsafe unlink(file) }
    }
}
