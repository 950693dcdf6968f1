import ODataModel
import ODataProtocol
import ODataService
import ODataTables
import OfflineStore

/// Entities from files and into files, without a service.
extension OfflineODataProvider {
    /// Takes entities as data, not as changes: nothing is queued, and entities whose key is in the store are replaced.
    ///
    /// They are checked against the metadata as local changes are; a property that an entity leaves out gets its declared default.
    /// What an entity names by a reference (`@odata.bind`, `@odata.id`) has to be in a file or in the store. A foreign key may lead to an
    /// entity that is in neither: stores hold parts of what services have.
    ///
    /// - Parameters:
    ///   - files: In any order: entities that others refer to are loaded first.
    ///   - metadata: The metadata document; needed by a store that has none, must be compatible with the one that it has.
    /// - Returns: How many entities there were.
    /// - Throws: ``OfflineODataError``; the path of its place begins with the set whose file is wrong. Nothing is loaded then.
    @discardableResult
    public func importData(
        _ files: [OfflineODataDataFile],
        metadata: [UInt8]? = nil
    ) async throws -> Int {
        try await mapping {
            let work = StoreImport(store)
            if let metadata { try await work.take(metadata, limits: settings.limits.metadata) }
            let model = try await store.schema().model
            let json = try Self.byName(files, model)
            try await check(json, work)
            var count = 0
            for name in DataOrder.names(of: json, in: model) {
                try Task.checkCancellation()
                do {
                    count += try await work.load(json[name] ?? [], into: name)
                } catch let error as PayloadError {
                    throw Self.error(error, in: name)
                }
            }
            try await work.finish()
            return count
        }
    }

    /// Checks all files before the first one is loaded; what they refer to when the entities of all are known.
    private func check(_ json: [String: [UInt8]], _ work: StoreImport) async throws {
        var entities = ImportedEntities()
        for (name, file) in json.sorted(by: { $0.key < $1.key }) {
            try await Self.naming(name) {
                try await work.check(file, of: name, noting: &entities)
            }
        }
        for (name, file) in json.sorted(by: { $0.key < $1.key }) {
            try await Self.naming(name) {
                try await work.checkReferences(in: file, of: name, among: entities)
            }
        }
    }

    /// Runs a check whose errors get the name of the set.
    private static func naming(_ name: String, _ check: () async throws -> Void) async throws {
        try Task.checkCancellation()
        do {
            try await check()
        } catch let error as PayloadError {
            throw Self.error(error, in: name)
        } catch let error as StoreError {
            throw OfflineODataError(
                .invalidInput,
                error.message,
                cause: error,
                place: OfflineODataError.Place(path: name)
            )
        }
    }

    private static func byName(_ files: [OfflineODataDataFile], _ model: EdmModel) throws
        -> [String: [UInt8]]
    {
        var json: [String: [UInt8]] = [:]
        for file in files {
            guard isTopLevel(file.entitySet, model) else {
                throw OfflineODataError(
                    .notFound,
                    "the metadata has no entity set '\(file.entitySet)'",
                    place: OfflineODataError.Place(path: file.entitySet)
                )
            }
            guard json.updateValue(file.json, forKey: file.entitySet) == nil else {
                throw OfflineODataError(
                    .invalidInput,
                    "there are two files of \(file.entitySet): put their entities into one",
                    place: OfflineODataError.Place(path: file.entitySet)
                )
            }
        }
        return json
    }

    private static func error(_ error: PayloadError, in set: String) -> any Error {
        guard var mapped = OfflineODataError.mapping(error) as? OfflineODataError else {
            return error
        }
        mapped.place?.path = set
        mapped.message = error.description
        return mapped
    }

    /// Writes the entities of each set and singleton that has some, as the store shows them, local changes included.
    ///
    /// ``importData(_:metadata:)`` with these files and ``metadataDocument()`` makes a store of them again, without links that are no
    /// foreign keys, contained entities and streams. What was created here and has no key yet is left out: ``exportQueue()`` takes it
    /// along as the change that it is. Each file is in memory as a whole; ``exportData(inPagesOf:to:)`` writes sets of any size.
    ///
    /// - Parameter write: Takes one file after the other.
    /// - Returns: How many files there were.
    /// - Throws: ``OfflineODataError``, and what `write` throws.
    @discardableResult
    public func exportData(
        to write: (OfflineODataDataFile) async throws -> Void
    ) async throws -> Int {
        var json: [UInt8] = []
        return try await exportData(inPagesOf: 1_000) { piece in
            json += piece.json
            guard piece.isLast else { return }
            try await write(OfflineODataDataFile(entitySet: piece.entitySet, json: json))
            json = []
        }
    }

    /// Writes the entities of each set and singleton that has some, page by page: no more than a page is in memory.
    ///
    /// A page is read in a transaction of its own. A change made between two pages is met or not, and no entity is written twice.
    ///
    /// - Parameters:
    ///   - entityCount: Entities in a page.
    ///   - write: Takes the files one after the other, in pieces.
    /// - Returns: How many files there were.
    /// - Throws: ``OfflineODataError``, `CancellationError`, and what `write` throws.
    @discardableResult
    public func exportData(
        inPagesOf entityCount: Int,
        to write: (OfflineODataDataPiece) async throws -> Void
    ) async throws -> Int {
        guard entityCount > 0 else {
            throw OfflineODataError(.invalidInput, "a page must hold at least one entity")
        }
        let model = try await metadata()
        let names = try await status().entitySets.filter { $0.entityCount > 0 }.map(\.name)
            .filter { Self.isTopLevel($0, model) }
        for name in names {
            try Task.checkCancellation()
            if case .singleton = model.navigationSource(named: name) {
                try await write(try await singleton(name))
            } else {
                let export = DataExport(
                    store: store,
                    entitySet: name,
                    pageSize: entityCount,
                    serviceRoot: serviceRoot ?? ""
                )
                try await export.write { piece in try await write(piece) }
            }
        }
        return names.count
    }

    private func singleton(_ name: String) async throws -> OfflineODataDataPiece {
        let response = await respond(to: HTTPRequest(method: "GET", url: name))
        guard response.isSuccess else {
            throw OfflineODataError(
                .internal,
                "the entity of \(name) cannot be read: status \(response.status)"
            )
        }
        return OfflineODataDataPiece(
            entitySet: name,
            json: response.body,
            isFirst: true,
            isLast: true
        )
    }

    /// Contained entities come with no file of their own.
    private static func isTopLevel(_ name: String, _ model: EdmModel) -> Bool {
        switch model.navigationSource(named: name) {
        case .entitySet, .singleton: true
        default: false
        }
    }
}
