import Foundation

/// The folder `shared` beside the package, with documents and recorded answers of real services.
public enum SharedFolder {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared")

    /// Whether there is such a folder; tests that need it are left out without.
    public static var isPresent: Bool {
        FileManager.default.fileExists(atPath: root.path())
    }

    /// Returns the path of a file in it.
    public static func path(_ name: String) -> String {
        root.appending(path: name).path(percentEncoded: false)
    }

    /// Returns the bytes of a file in it.
    public static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: root.appending(path: path)))
    }
}
