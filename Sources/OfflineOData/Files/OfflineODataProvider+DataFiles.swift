import OfflineProvider
import OfflineValues
import StoreDownload
import StoreExchange
import StoreRecords
import ODataBinding
import ODataModel
import ODataPayload
import ODataHTTP
import ODataAnswers
import ODataTables
import OfflineStore

/// Entities from files, without a service.
extension OfflineODataProvider {
    /// Takes entities as data, not as changes: nothing is queued, and entities whose key is in the store are replaced.
    ///
    /// They are checked against the metadata as local changes are; a property that an entity leaves out gets its declared default.
    /// What an entity names by a reference (`@odata.bind`, `@odata.id`) has to be in a file or in the store. A foreign key may lead to an
    /// entity that is in neither, as stores hold parts of what services have; ``OfflineODataImportResult/absentPrincipalCount`` counts
    /// those entities. Links, contained entities and streams that the store has and no file mentions stay.
    ///
    /// - Parameters:
    ///   - files: In any order: entities may refer to those of all files.
    ///   - metadata: The metadata document; needed by a store that has none, must be compatible with the one that it has.
    /// - Returns: How many entities there were, those inside of others among them.
    /// - Throws: ``OfflineODataError``; the path of its place begins with the set whose file is wrong. Nothing is loaded then.
    @discardableResult
    public func importData(
        _ files: [OfflineODataDataFile],
        metadata: [UInt8]? = nil
    ) async throws -> Int {
        try await importDataFiles(files, metadata: metadata).entityCount
    }

    /// Takes entities as data, as ``importData(_:metadata:)`` does, and answers what there was besides.
    ///
    /// - Parameters:
    ///   - files: In any order: entities may refer to those of all files.
    ///   - metadata: The metadata document; needed by a store that has none, must be compatible with the one that it has.
    /// - Throws: ``OfflineODataError``; the path of its place begins with the set whose file is wrong. Nothing is loaded then.
    public func importDataFiles(
        _ files: [OfflineODataDataFile],
        metadata: [UInt8]? = nil
    ) async throws -> OfflineODataImportResult {
        try await importDataFiles(files, metadata: metadata, values: .declared)
    }

    /// Takes entities as data, as ``importDataFiles(_:metadata:)`` does, with values that the metadata allows, or as they are.
    ///
    /// - Parameters:
    ///   - files: In any order: entities may refer to those of all files.
    ///   - metadata: The metadata document; needed by a store that has none, must be compatible with the one that it has.
    ///   - values: Which values are taken. Keys, names, references and the form of the JSON are checked in either case.
    ///   - isComplete: Whether the files are all of a service: a foreign key that leads to an entity which is neither in a file nor in
    ///     the store is an error then.
    /// - Throws: ``OfflineODataError``; its code is `invalidValue` where ``OfflineODataImportedValues/served`` would take the value.
    ///   The path of its place begins with the set whose file is wrong. Nothing is loaded then.
    public func importDataFiles(
        _ files: [OfflineODataDataFile],
        metadata: [UInt8]? = nil,
        values: OfflineODataImportedValues,
        isComplete: Bool = false
    ) async throws -> OfflineODataImportResult {
        try await importDataFiles(
            files,
            contents: [],
            metadata: metadata,
            values: values,
            isComplete: isComplete
        )
    }

    /// Takes entities as data, as ``importDataFiles(_:metadata:values:isComplete:)`` does, with streams that are not in memory.
    ///
    /// - Parameters:
    ///   - files: In any order: entities may refer to those of all files.
    ///   - contents: Streams of entities that are in the files or in the store.
    ///   - metadata: The metadata document; needed by a store that has none, must be compatible with the one that it has.
    ///   - values: Which values are taken. Keys, names, references and the form of the JSON are checked in either case.
    ///   - isComplete: Whether the files are all of a service: a foreign key that leads to an entity which is neither in a file nor in
    ///     the store is an error then.
    /// - Throws: ``OfflineODataError``, and what the reading of a content throws. The path of an error's place begins with the set whose
    ///   file is wrong, or is the place of the content. Nothing is loaded then.
    public func importDataFiles(
        _ files: [OfflineODataDataFile],
        contents: [OfflineODataDataContent],
        metadata: [UInt8]? = nil,
        values: OfflineODataImportedValues = .declared,
        isComplete: Bool = false
    ) async throws -> OfflineODataImportResult {
        let inMemory = files.flatMap { file in
            file.streams.map { OfflineODataDataContent($0, of: file.entitySet) }
        }
        return try await settings.log.work("import", about: [], fields: Self.fields) {
            try await importing(
                files,
                contents: inMemory + contents,
                metadata: metadata,
                values: values.rule,
                isComplete: isComplete
            )
        }
    }

    private static func fields(of result: OfflineODataImportResult) -> [Log.Field] {
        [
            ("sets", .count(result.setCount)), ("entities", .count(result.entityCount)),
            ("links", .count(result.linkCount)), ("streams", .count(result.streamCount)),
            ("absent", .count(result.absentPrincipalCount)),
        ]
    }

    private func importing(
        _ files: [OfflineODataDataFile],
        contents: [OfflineODataDataContent],
        metadata: [UInt8]?,
        values: ImportedValues,
        isComplete: Bool
    ) async throws -> OfflineODataImportResult {
        try await mapping {
            // One import at a time, and others see that it runs.
            let lock = try await SyncLock(
                besides: settings.storeFile,
                waiting: settings.waitsForOtherProcess
            )
            defer { withExtendedLifetime(lock) {} }
            let work = StoreImport(store)
            try await work.begin()
            do {
                if let metadata {
                    try await work.take(metadata, limits: settings.limits.metadata)
                }
                return try await importing(
                    files,
                    contents: contents,
                    by: work,
                    values: values,
                    isComplete: isComplete
                )
            } catch {
                try? await work.fail()
                throw error
            }
        }
    }

    private func importing(
        _ files: [OfflineODataDataFile],
        contents: [OfflineODataDataContent],
        by work: StoreImport,
        values: ImportedValues,
        isComplete: Bool
    ) async throws -> OfflineODataImportResult {
        let model = try await store.schema().model
        let json = try Self.byName(files, in: model)
        let entities = try await check(json, values: values, work: work)
        let absent = try await work.absentPrincipals(of: entities)
        if isComplete { try await refuse(absent, in: json, work: work) }
        try await importing(contents, among: entities, work: work) {
            try await load(json, in: model, values: values, work: work)
        }
        try await work.finish()
        var result = OfflineODataImportResult()
        result.setCount = files.count
        result.entityCount = entities.entityCount
        result.linkCount = entities.linkCount
        result.absentPrincipalCount = absent.count
        result.streamCount = contents.count
        return result
    }

    /// Takes the content of a stream as data, not as a change: nothing is queued.
    ///
    /// Streams of any size come this way; those of ``OfflineODataDataFile/streams`` are in memory.
    ///
    /// - Parameters:
    ///   - url: Where it is, relative to the service root: `Photos(1)/$value`.
    ///   - content: Pieces of any size.
    ///   - contentType: Media type, such as `image/jpeg`.
    ///   - etag: The service's ETag of the content.
    /// - Throws: ``OfflineODataError`` where the URL addresses no stream, or the store does not have the entity.
    public func importStream<Content: AsyncSequence>(
        _ url: String,
        content: Content,
        contentType: String,
        etag: String? = nil
    ) async throws where Content.Element == [UInt8] {
        let set = String(url.prefix { $0 != "(" && $0 != "/" })
        try await settings.log.work("import.stream", about: [("set", .url(set))]) {
            try await importingStream(url, content: content, contentType: contentType, etag: etag)
        }
    }

    private func importingStream<Content: AsyncSequence>(
        _ url: String,
        content: Content,
        contentType: String,
        etag: String?
    ) async throws where Content.Element == [UInt8] {
        try await mapping {
            let work = StoreImport(store)
            let address = try await address(of: url, among: ImportedEntities(), work)
            try await withStored(content, contentType: contentType) { stored in
                try await work.set([address.stream(stored, etag: etag)])
            }
        }
    }

    private func load(
        _ json: [String: [UInt8]],
        in model: EdmModel,
        values: ImportedValues,
        work: StoreImport
    ) async throws {
        let names = DataOrder.names(of: json, in: model)
        do {
            try await work.load(names.map { ($0, json[$0] ?? []) }, values: values)
        } catch let fault as ImportFault {
            throw Self.error(fault.error, in: fault.set)
        }
    }

    // MARK: Streams

    /// Stores the contents, runs the import of the entities, and gives these their streams.
    private func importing(
        _ contents: [OfflineODataDataContent],
        among entities: ImportedEntities,
        work: StoreImport,
        load: () async throws -> Void
    ) async throws {
        var addresses: [StreamAddress] = []
        for content in contents {
            try await Self.naming(content.place) {
                addresses.append(try await address(of: content.url, among: entities, work))
            }
        }
        var stored: [ImportedStream] = []
        do {
            for (address, content) in zip(addresses, contents) {
                let id = try await storeContent(content.pieces, contentType: content.contentType)
                stored.append(address.stream(id, etag: content.etag))
            }
            try await load()
            try await work.set(stored)
        } catch {
            for stream in stored { try? await store.discard(content: stream.content) }
            throw error
        }
    }

    /// The stream that a URL addresses, of an entity in a file or in the store.
    private func address(
        of url: String,
        among entities: ImportedEntities,
        _ work: StoreImport
    ) async throws -> StreamAddress {
        let model = try await store.schema().model
        guard let address = try await stream(named: url), address.isPossible(in: model) else {
            throw OfflineODataError(.invalidInput, "\(url) addresses no stream")
        }
        guard try await work.holds(address.owner, among: entities) else {
            throw OfflineODataError(
                .notFound,
                "the stream \(url) belongs to an entity that is neither in a file nor in the store"
            )
        }
        return address
    }

    /// An error has the place that the caller gives it: that in the URL would be taken for one in a file.
    private func stream(named url: String) async throws -> StreamAddress? {
        do {
            return try await streamAddress(url)
        } catch {
            let message = "\(url) addresses no stream: \(error.message)"
            throw OfflineODataError(.invalidInput, message, cause: error)
        }
    }

    // MARK: Checking

    /// Checks all files before the first one is loaded; what they refer to when the entities of all are known.
    private func check(
        _ json: [String: [UInt8]],
        values: ImportedValues,
        work: StoreImport
    ) async throws -> ImportedEntities {
        var entities = ImportedEntities(values: values)
        for (name, file) in json.sorted(by: { $0.key < $1.key }) {
            try await Self.naming(name) {
                try await work.check(file, of: name, values: values, noting: &entities)
            }
        }
        for (name, file) in json.sorted(by: { $0.key < $1.key }) {
            try await Self.naming(name) {
                try await work.checkReferences(in: file, of: name, among: entities)
            }
        }
        return entities
    }

    /// Names the first foreign key that leads to one of these entities.
    private func refuse(
        _ absent: Set<ImportedPrincipals>,
        in json: [String: [UInt8]],
        work: StoreImport
    ) async throws {
        guard !absent.isEmpty else { return }
        for (name, file) in json.sorted(by: { $0.key < $1.key }) {
            try await Self.naming(name) {
                try await work.checkForeignKeys(in: file, of: name, absent: absent)
            }
        }
    }

    /// Runs a check whose errors get the name of the set.
    private static func naming(_ name: String, check: () async throws -> Void) async throws {
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
        } catch var error as OfflineODataError {
            error.place = error.place ?? OfflineODataError.Place(path: name)
            throw error
        }
    }

    private static func byName(_ files: [OfflineODataDataFile], in model: EdmModel) throws
        -> [String: [UInt8]]
    {
        var json: [String: [UInt8]] = [:]
        for file in files {
            guard model.isTopLevel(file.entitySet) else {
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
        if error.isOfDeclaration { mapped.code = .invalidValue }
        mapped.message = error.description
        return mapped
    }
}

extension StreamAddress {
    /// Whether the entity may have such a stream: those of other types are no media entities.
    fileprivate func isPossible(in model: EdmModel) -> Bool {
        guard property.isEmpty, let type = owner.entityType(in: model) else {
            return !property.isEmpty
        }
        return model.hierarchy(below: type).contains { model.hasStream($0) }
    }

    /// A content that is to be this stream.
    fileprivate func stream(_ content: Int64, etag: String?) -> ImportedStream {
        ImportedStream(owner: owner, property: property, content: content, etag: etag)
    }
}
