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
    /// The largest page there is.
    private static let headCount = 65_536

    /// Whether there is one that SQLite would play back; where another connection is writing, it is that one's.
    static func stands(beside path: String) -> Bool {
        // A journal that is done with is empty, or its first bytes are zero.
        head(of: path + "-journal", 1).first.map { $0 != 0 } ?? false
    }

    /// Copies the first page of a file and its journal, beside the file: enough to play the journal back and to read the first page.
    ///
    /// - Returns: The path of the copy.
    static func copy(of path: String) throws -> String {
        let copy = path + "-check-" + UUID().uuidString
        try Data(head(of: path, headCount)).write(to: URL(filePath: copy))
        try FileManager.default.copyItem(atPath: path + "-journal", toPath: copy + "-journal")
        return copy
    }

    static func removeCopy(_ copy: String) {
        for file in [copy, copy + "-journal"] { _ = unsafe unlink(file) }
    }

    /// The first bytes of a file; nothing where there is none.
    private static func head(of path: String, _ count: Int) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY)
        guard file >= 0 else { return [] }
        defer { close(file) }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, length in
            length = unsafe max(0, read(file, bytes.baseAddress, count))
        }
    }
}
