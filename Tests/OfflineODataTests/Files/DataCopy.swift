import OfflineOData
import Synchronization
import Testing

/// Stores without a service, filled from files and copied by way of files.
struct DataCopy {
    let directory: TemporaryDirectory
    let provider: OfflineODataProvider

    /// Makes an empty store.
    init() throws {
        directory = try TemporaryDirectory()
        provider = try OfflineODataProvider(
            storeFile: directory.path + "/copy.sqlite",
            isCreating: true
        )
    }

    /// Makes a store of files.
    init(_ metadata: String, _ json: [String: String]) async throws {
        self = try DataCopy()
        try await provider.importData(
            json.map { OfflineODataDataFile(entitySet: $0, json: Array($1.utf8)) },
            metadata: Array(metadata.utf8)
        )
    }

    /// Makes a store of what another one exports.
    init(of other: OfflineODataProvider) async throws {
        self = try DataCopy()
        try await provider.importData(
            Self.files(of: other),
            metadata: try await other.metadataDocument()
        )
    }

    /// What a store exports, in the order of the names.
    static func files(of provider: OfflineODataProvider) async throws -> [OfflineODataDataFile] {
        let files = Mutex<[OfflineODataDataFile]>([])
        try await provider.exportData { file in files.withLock { $0.append(file) } }
        return files.withLock { $0 }.sorted { $0.entitySet < $1.entitySet }
    }

    /// What a store exports as text, by the names of the sets.
    static func text(of provider: OfflineODataProvider) async throws -> [String: String] {
        let files = try await files(of: provider)
        return Dictionary(uniqueKeysWithValues: files.map { ($0.entitySet, $0.text) })
    }

    /// The answer to a request as text.
    func get(_ url: String) async -> String {
        let response = await provider.respond(to: HTTPRequest(method: "GET", url: url))
        return String(decoding: response.body, as: UTF8.self)
    }
}

extension OfflineODataDataFile {
    /// The JSON as text.
    var text: String { String(decoding: json, as: UTF8.self) }
}
