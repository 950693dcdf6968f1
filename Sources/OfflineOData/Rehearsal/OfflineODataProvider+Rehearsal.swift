import OfflineProvider
import OfflineValues
import OfflineSync
import StoreRecords
import StoreDownload
import StoreUpgrade
import ODataModelComparison
import ODataClient
import ODataHTTP
import ODataTables
import OfflineStore

/// Trying upgrades, and asking services for their metadata, without touching a store.
extension OfflineODataProvider {
    /// Tries the upgrade of a store to another version of its metadata on a copy; the store and what is beside it stay as they are.
    ///
    /// The copy stands in the directory for temporary files, which needs room for it.
    ///
    /// - Parameters:
    ///   - path: Path of the store's file.
    ///   - metadata: The metadata document that the service is going to have.
    ///   - key: Key of an encrypted store.
    /// - Throws: ``OfflineODataError`` where there is no store, or the document is no metadata.
    public static func rehearseUpgrade(
        ofStoreAt path: String,
        to metadata: [UInt8],
        key: OfflineODataEncryptionKey? = nil
    ) async throws -> OfflineODataUpgradeRehearsal {
        do {
            guard StoreFiles.exists(path) else {
                throw OfflineODataError(
                    .invalidInput,
                    "there is no store at \(path)",
                    code: .noStore
                )
            }
            let copy = try await DiskWork.run { try RehearsalCopy(of: path) }
            defer { copy.remove() }
            do {
                return try await rehearse(on: copy, metadata, key: key)
            } catch {
                let error = OfflineODataError.mapping(error, of: copy.path)
                throw (error as? OfflineODataError)?.naming(path, insteadOf: copy.path) ?? error
            }
        } catch {
            throw OfflineODataError.mapping(error, of: path)
        }
    }

    private static func rehearse(
        on copy: RehearsalCopy,
        _ metadata: [UInt8],
        key: OfflineODataEncryptionKey?
    ) async throws -> OfflineODataUpgradeRehearsal {
        let parameters = OfflineODataParameters()
        parameters.storeKey = key
        let provider = try await make(storeFile: copy.path, parameters: parameters)
        do {
            let result = try await provider.rehearsed(metadata, copy: copy)
            try await provider.close(force: true)
            return result
        } catch {
            try? await provider.close(force: true)
            throw error
        }
    }

    private func rehearsed(
        _ metadata: [UInt8],
        copy: RehearsalCopy
    ) async throws -> OfflineODataUpgradeRehearsal {
        let old = try await store.schema().model
        let obstacles = try await store.file.read {
            try SchemaUpgrade($0).obstacles(to: metadata)
        }
        try await DownloadWork(store).checkpoint()
        let (status, byteCount) = (try await status(), copy.byteCount)
        let start = ContinuousClock.now
        if obstacles.reasons.isEmpty { try await store.upgrade(to: metadata) }
        let time = ContinuousClock.now - start
        try await DownloadWork(store).checkpoint()
        let comparison = obstacles.comparison ?? ModelComparison(from: old, to: old)
        let full = Set(status.queries.filter(\.needsFullRead).map(\.name))
        return OfflineODataUpgradeRehearsal(
            comparison: comparison,
            isPossible: obstacles.reasons.isEmpty,
            reasons: obstacles.reasons,
            duration: time,
            rowCount: status.entitySets.reduce(0) { $0 + $1.entityCount },
            byteCountBefore: byteCount,
            byteCountAfter: copy.byteCount,
            requests: try await requests(
                touched: obstacles.touched,
                misfits: obstacles.misfits,
                incomplete: IncompleteCreations(
                    model: try await store.schema().model,
                    comparison: comparison
                ),
                by: comparison.changes.filter { !$0.isCompatible }
            ),
            queriesReadInFull: try await self.status().queries.filter(\.needsFullRead)
                .map(\.name).filter { !full.contains($0) }
        )
    }

    /// The requests of the copy: those that stand against the upgrade, and those that can no longer be made.
    private func requests(
        touched: [Int64: [ModelChange]],
        misfits: [Int64: String],
        incomplete: IncompleteCreations,
        by changes: [ModelChange]
    ) async throws -> [OfflineODataUpgradeRehearsal.Request] {
        let all = try await requestQueue() + errorArchive()
        var problems: [Int64: String] = [:]
        if client != nil, touched.isEmpty, misfits.isEmpty {
            for refused in try await uploadPreview().refused {
                problems[refused.requestID] = refused.message
            }
        }
        let problem =
            if changes.isEmpty {
                "it calls an operation, or changes a link, that the new metadata has in another form: upload or drop it before the upgrade"
            } else if changes.allSatisfy({ $0.change == .removed }) {
                "it names what the new metadata does not have"
            } else {
                "it names what the new metadata does not have, or has in another form"
            }
        for request in all where problems[request.id] == nil {
            problems[request.id] = incomplete.problem(of: request)
        }
        for request in all {
            guard let concerned = touched[request.id] else { continue }
            problems[request.id] = problem + Self.text(of: concerned)
        }
        problems.merge(misfits) { _, misfit in misfit }
        return all.map { request in
            OfflineODataUpgradeRehearsal.Request(
                id: request.id,
                method: request.method,
                url: request.url,
                status: request.status.rawValue,
                problem: problems[request.id]
            )
        }
    }

    /// What of the new metadata concerns a request.
    private static func text(of changes: [ModelChange]) -> String {
        guard !changes.isEmpty else { return "" }
        let named = changes.prefix(3).map { $0.path + ($0.detail.isEmpty ? "" : " (\($0.detail))") }
        return ": " + named.joined(separator: ", ")
    }

    /// Asks a service for its metadata document; no store is needed.
    ///
    /// - Parameters:
    ///   - serviceRoot: Absolute URL of the service.
    ///   - parameters: How the service is spoken to: transport, header fields, credentials, limits.
    public static func metadataDocument(
        ofService serviceRoot: String,
        parameters: OfflineODataParameters = OfflineODataParameters()
    ) async throws -> [UInt8] {
        do {
            var url = try ServiceURL(root: serviceRoot)
            url.add(ProviderSettings.queryOptions(parameters))
            let client = ServiceClient(
                url: url,
                transport: try ProviderSettings.transport(parameters),
                settings: try ProviderSettings.client(parameters, urlCredentials: url.credentials)
            )
            let response = try await client.get(
                client.url.absolute("$metadata"),
                headers: ["Accept": "application/xml"]
            )
            return try await response.body.collect(upTo: client.maximumBodySize)
        } catch {
            throw OfflineODataError.mapping(error)
        }
    }
}

extension OfflineODataError {
    /// The error about another file: a person knows the store, not its copy.
    fileprivate func naming(_ path: String, insteadOf copy: String) -> OfflineODataError {
        var error = self
        error.message = message.replacing(copy, with: path)
        error.details = details.map { $0.replacing(copy, with: path) }
        return error
    }
}
