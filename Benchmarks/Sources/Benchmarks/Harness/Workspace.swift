#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A directory of temporary files that goes away with the run.
struct Workspace: ~Copyable {
    /// Path of the directory.
    let path: String

    /// Makes a new directory in the system's place for temporary files.
    init() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("offline-odata-benchmark-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.path
    }

    deinit {
        // What cannot be removed is left to the system.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Makes an empty directory below, without what an earlier run left there.
    func emptyDirectory(_ name: String) throws -> String {
        let directory = path + "/" + name
        try? FileManager.default.removeItem(atPath: directory)
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true
        )
        return directory
    }

    /// Writes a file.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// Returns the path and size of the largest file of a directory: the store, once it is closed.
    static func largestFile(in directory: String) throws -> (path: String, size: Int) {
        let files = try FileManager.default.contentsOfDirectory(atPath: directory).map { name in
            let path = directory + "/" + name
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
            // Foundation's two forms bring different types of number.
            let number = (size as? any BinaryInteger).map { Int($0) }
            return (path: path, size: number ?? 0)
        }
        guard let largest = files.max(by: { $0.size < $1.size }) else {
            throw BenchmarkError("no file in \(directory)")
        }
        return largest
    }
}
