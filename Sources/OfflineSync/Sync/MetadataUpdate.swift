import ODataClient
import ODataModel
import OfflineValues
import StoreRecords
import StoreDownload
import StoreUpgrade
import ODataHTTP
import ODataTables
import OfflineStore

/// Asks the service for its metadata and brings the store's schema to it, before any data is asked for.
struct MetadataUpdate {
    let store: LocalStore
    let client: ServiceClient
    let progress: ProgressReporter

    /// What the service answers when it is asked for its metadata.
    struct Answer {
        /// Nil where it says that the known ones are still good.
        var document: [UInt8]?
        var etag: String?
    }

    /// Upgrades the store where the service's model has grown.
    ///
    /// - Throws: ``OfflineODataError`` with category `incompatibleSchema` where it does not fit; the store is untouched then.
    func run() async throws {
        try await take(try await ask())
    }

    /// Asks for the metadata, if they have changed; the store stays as it is.
    func ask() async throws -> Answer {
        progress.update { $0.step = .loadingMetadata }
        let etag = try await store.file.read { try StoreState.metadataETag($0) }
        return try await ask(knowing: etag)
    }

    /// Upgrades the store where an answer says that the model has grown; answers whether it is another one now.
    ///
    /// - Throws: As ``run()``.
    @discardableResult
    func take(_ answer: Answer) async throws -> Bool {
        let before = try await store.file.read { try StoreSchema.version($0) }
        if let document = answer.document {
            progress.update { $0.step = .upgradingSchema }
            do {
                try await store.upgrade(to: document, limits: client.settings.metadataLimits) {
                    try StoreState.setMetadataETag(answer.etag, on: $0)
                }
            } catch let error as CSDLError {
                throw refusal(error)
            }
        }
        client.setVersion(of: try await store.schema().model)
        return try await store.file.read { try StoreSchema.version($0) } != before
    }

    /// What the service calls its metadata cannot be read as such.
    private func refusal(_ error: CSDLError) -> any Error {
        guard var refusal = OfflineODataError.mapping(error) as? OfflineODataError else {
            return error
        }
        refusal.message += " (GET \(client.url.absolute("$metadata")))"
        return refusal
    }

    /// Asks once more after payloads with names that the metadata does not have; answers whether the model is another one now.
    ///
    /// Names that were met before with the same model are not asked for again.
    func runAgain(after names: [String]) async throws -> Bool {
        let (known, before) = try await store.file.read {
            (try StoreState.unknownNames($0), try StoreSchema.version($0))
        }
        let met = "\(before):" + names.joined(separator: " ")
        guard known != met else { return false }
        try await take(try await ask(knowing: nil))
        return try await store.file.write { connection in
            let now = try StoreSchema.version(connection)
            try StoreState.setUnknownNames(
                "\(now):" + names.joined(separator: " "),
                on: connection
            )
            return now != before
        }
    }

    /// Asks once more where answers state another ETag of the metadata than the known one (OData JSON 4.01 § 4.6.2); answers whether the
    /// model is another one now.
    ///
    /// Some services state one there that they never send with the metadata: each is asked for once.
    func runAgain(stating etag: String) async throws -> Bool {
        let (known, asked, before) = try await store.file.read {
            try (
                StoreState.metadataETag($0), StoreState.statedMetadataETag($0),
                StoreSchema.version($0)
            )
        }
        guard asked != etag else { return false }
        let isKnown = known.map { EntityTag.areSame($0, etag) } ?? (asked == nil)
        if !isKnown { try await take(try await ask(knowing: nil)) }
        return try await store.file.write { connection in
            try StoreState.setStatedMetadataETag(etag, on: connection)
            return try StoreSchema.version(connection) != before
        }
    }

    private func ask(knowing etag: String?) async throws -> Answer {
        var headers: HTTPHeaders = ["Accept": "application/xml"]
        if let etag { headers["If-None-Match"] = etag }
        let response = try await client.get(client.url.absolute("$metadata"), headers: headers)
        let document = try await response.body.collect(upTo: client.maximumBodySize)
        client.log(
            .info,
            "metadata",
            [
                ("changed", .text(response.status == 304 ? "no" : "asked")),
                ("bytes", .count(document.count)),
            ]
        )
        guard response.status != 304 else { return Answer() }
        return Answer(document: document, etag: response.headers["ETag"])
    }
}
