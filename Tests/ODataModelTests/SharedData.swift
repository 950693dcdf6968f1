import ODataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder of real documents beside the package; tests over it are off where it is absent.
enum SharedData {
    static let root: String = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/" + package + "/../shared"
    }()

    static let isPresent = FileManager.default.fileExists(atPath: root + "/metadata/index.jsonl")

    /// Why a test is off.
    static let absence = "The folder '../shared' with real documents is absent."

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: root + "/" + path)))
    }

    static func names(in folder: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
        return all.sorted()
    }

    static func document(_ path: String) throws -> CSDLDocument {
        try CSDLDocument(reading: bytes(path))
    }

    static func lines<Line: Decodable>(of path: String, as type: Line.Type) -> [Line] {
        guard let bytes = try? bytes(path) else { return [] }
        return bytes.split(separator: 0x0A).compactMap {
            try? JSONDecoder().decode(type, from: Data($0))
        }
    }
}
