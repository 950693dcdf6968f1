import CommandSupport
import ODataModel
import OfflineOData

/// The directory of an export: the metadata, a file for each set, and the streams of each set beside it.
struct ExportDirectory {
    let path: String
    /// Name of the metadata document, without its extension.
    static let metadataName = "metadata"

    /// Makes the directory, or takes out of it what an earlier export has left.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        try FileBytes.makeDirectory(path)
        try removeFormer()
    }

    func file(of set: String, as format: ExportFormat = .json) -> String {
        "\(path)/\(set).\(format.rawValue)"
    }

    func streams(of set: String) -> StreamFiles { StreamFiles(besides: file(of: set)) }

    func writeMetadata(_ document: [UInt8]) throws(CommandFailure) {
        let isJSON = document.first { $0 > 0x20 } == UInt8(ascii: "{")
        try FileBytes.write(document, to: Self.metadata(in: path, isJSON ? "json" : "xml"))
    }

    private static func metadata(in path: String, _ form: String) -> String {
        "\(path)/\(metadataName).\(form)"
    }

    /// The metadata of an earlier export says which files are its own; a set may have been filled then and be empty now.
    private func removeFormer() throws(CommandFailure) {
        let documents = ["xml", "json"].map { Self.metadata(in: path, $0) }
            .filter { FileBytes.exists($0) }
        for document in documents {
            guard let model = try? MetadataFile(path: document).document().model else { continue }
            let container = model.container
            for name in container.entitySets.map(\.name) + container.singletons.map(\.name) {
                for format in ExportFormat.allCases {
                    try FileBytes.remove(file(of: name, as: format))
                }
                try streams(of: name).remove()
            }
            try FileBytes.remove(document)
        }
    }
}
