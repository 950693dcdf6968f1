import CommandSupport
import ODataModel
import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The directory of an export: the metadata, a file for each set, and the streams of each set beside it.
///
/// All is written into a directory in it first: an export that fails leaves the former one as it was.
struct ExportDirectory {
    let path: String
    /// Where the files are until they are complete.
    private let work: String
    /// One export writes into a directory at a time.
    private let lock: DirectoryLock
    /// Name of the metadata document, without its extension.
    static let metadataName = "metadata"
    /// Its name where a set has the other one: no set can be called so.
    static let otherMetadataName = "$metadata"

    /// Makes the directory unless it is there.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        work = path + "/.export"
        try FileBytes.makeDirectory(path)
        lock = try DirectoryLock(path)
        discard()
        try FileBytes.makeDirectory(work)
    }

    func file(of set: String, as format: ExportFormat = .json) -> String {
        Self.file(of: set, in: work, as: format)
    }

    private static func file(of set: String, in path: String, as format: ExportFormat = .json)
        -> String
    {
        "\(path)/\(set).\(format.rawValue)"
    }

    func streams(of set: String) -> StreamFiles { StreamFiles(besides: file(of: set)) }

    /// Writes the metadata document beside the files of the sets.
    func writeMetadata(_ document: [UInt8], of model: EdmModel) throws(CommandFailure) {
        let isJSON = document.first { $0 > 0x20 } == UInt8(ascii: "{")
        let isTaken = DataFiles.setNames(model).contains(Self.metadataName)
        let name = isTaken ? Self.otherMetadataName : Self.metadataName
        try FileBytes.write(document, to: "\(work)/\(name).\(isJSON ? "json" : "xml")")
    }

    /// Takes out what has been written so far.
    func discard() { try? FileManager.default.removeItem(atPath: work) }

    /// Puts what is complete in the place of what an earlier export has left.
    func publish() throws {
        try removeFormer()
        for name in try FileBytes.names(in: work) {
            let (new, place) = ("\(work)/\(name)", "\(path)/\(name)")
            guard name.hasSuffix(".streams"), FileBytes.exists(place) else {
                try FileBytes.move(new, to: place)
                continue
            }
            // Files of others stay in it.
            for file in try FileBytes.names(in: new) {
                try FileBytes.move("\(new)/\(file)", to: "\(place)/\(file)")
            }
        }
        discard()
    }

    /// The paths at which an export may have put its metadata document.
    private static func metadata(in path: String) -> [String] {
        [metadataName, otherMetadataName].flatMap { name in
            ["xml", "json"].map { "\(path)/\(name).\($0)" }
        }
    }

    /// The metadata of an earlier export says which files are its own; a set may have been filled then and be empty now.
    private func removeFormer() throws(CommandFailure) {
        for document in Self.metadata(in: path) where FileBytes.exists(document) {
            guard let model = try? MetadataFile(path: document).document().model else { continue }
            let container = model.container
            for name in container.entitySets.map(\.name) + container.singletons.map(\.name) {
                for format in ExportFormat.allCases {
                    try FileBytes.remove(Self.file(of: name, in: path, as: format))
                }
                try StreamFiles(besides: Self.file(of: name, in: path)).remove()
            }
            try FileBytes.remove(document)
        }
    }
}
