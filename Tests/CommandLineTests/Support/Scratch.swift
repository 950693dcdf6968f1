import Foundation

/// A directory that goes away with this object.
final class Scratch: Sendable {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(
            path: "cli-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    func url(_ name: String) -> URL { directory.appending(path: name) }

    func path(_ name: String) -> String { url(name).path() }

    func write(_ text: String, to name: String) throws {
        try write(Array(text.utf8), to: name)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: url(name))
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url(name)), as: UTF8.self)
    }

    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    /// Copies a file to another directory.
    func copy(_ name: String, to other: Scratch) throws {
        try FileManager.default.copyItem(at: url(name), to: other.url(name))
    }

    /// The names of its files.
    func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: directory.path()))
    }

    /// How many bytes a file has; nil where there is none.
    func size(_ name: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
        return attributes?[.size] as? Int
    }

    /// Lets everybody read the directory and its files; who may write says the mode.
    func makeReadable(to mode: Int) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path()) {
            try set(mode & 0o666, of: path(name))
        }
        try set(mode, of: directory.path())
    }

    private func set(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// A new empty file, open for writing.
    func handle(_ name: String) throws -> FileHandle {
        try write("", to: name)
        return try FileHandle(forWritingTo: url(name))
    }
}
