#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Looks for a text in files.
enum PlainTextSearch {
    /// Names of the files in a directory that hold the text, as UTF-8 or as UTF-16.
    static func files(in directory: String, holding text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { name in
            holds(FileManager.default.contents(atPath: directory + "/" + name) ?? Data(), text)
        }.sorted()
    }

    /// Open files of this process that have no name any more, as SQLite's temporary files, and hold the text; Linux alone tells.
    static func unnamedFiles(holding text: String) -> [String] {
        let directory = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return numbers.compactMap { number in
            let path = directory + "/" + number
            guard
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
                target.hasSuffix(" (deleted)"), holds(contents(path), text)
            else { return nil }
            return target
        }
    }

    /// Opened anew, so that the place at which its owner reads stays what it is.
    private static func contents(_ path: String) -> Data {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return Data() }
        defer { close(descriptor) }
        var bytes = Data()
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe read(descriptor, &piece, piece.count), count > 0 {
            bytes += piece[..<count]
        }
        return bytes
    }

    private static func holds(_ bytes: Data, _ text: String) -> Bool {
        let wide = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        return bytes.firstRange(of: Data(text.utf8)) != nil
            || bytes.firstRange(of: Data(wide)) != nil
    }
}
