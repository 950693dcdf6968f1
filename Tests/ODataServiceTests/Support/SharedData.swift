#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Test data that lies beside the package; absent in a checkout of the package alone.
enum SharedData {
    /// The folder `shared` beside the package.
    static let folder: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(5)
        return (parts + ["shared"]).joined(separator: "/")
    }()

    /// Whether the folder is there.
    static var isThere: Bool { bytes("query-cases/dataset.json") != nil }

    /// Returns the bytes of a file; nil where it is not there.
    static func bytes(_ path: String) -> [UInt8]? {
        try? Array(Data(contentsOf: URL(filePath: folder + "/" + path)))
    }

    /// Returns the lines of a file.
    static func lines(_ path: String) -> [[UInt8]] {
        (bytes(path) ?? []).split(separator: 0x0A).map(Array.init)
    }
}
