import FoundationEssentials

/// The folder of real data beside the package; tests over it are off where it is absent.
package enum SharedFolder {
    /// Why a test is off.
    package static let absence = "The folder '../shared' with recorded data is absent."

    private static let root: String = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/" + package + "/../shared"
    }()

    /// Whether a file or folder of it is there.
    package static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root + "/" + path)
    }

    /// Returns the bytes of a file.
    package static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: root + "/" + path)))
    }

    /// Returns the body of a recorded HTTP answer: what follows the first empty line, as it was sent.
    package static func body(_ path: String) throws -> [UInt8] {
        let bytes = try bytes(path)
        for index in bytes.indices.dropLast(3)
        where bytes[index...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) {
            return Array(bytes[(index + 4)...])
        }
        return []
    }
}
