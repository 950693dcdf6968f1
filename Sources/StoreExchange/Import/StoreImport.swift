import StoreUpgrade
package import OfflineStore
import StoreDownload
import StoreRecords
package import ODataBinding
import ODataSQL
package import ODataModel
import ODataPayload
import ODataAnswers
import ODataTables

/// Fills a store from documents in hand, without a service: rows come as data, nothing is queued.
package struct StoreImport: Sendable {
    private let store: LocalStore

    package init(_ store: LocalStore) {
        self.store = store
    }

    /// Takes over a metadata document: the first one, or one that adds to it.
    ///
    /// - Throws: ``StoreError`` (incompatible schema), `CSDLError`.
    package func take(_ document: [UInt8], limits: CSDLLimits = CSDLLimits()) async throws {
        try await store.upgrade(to: document, limits: limits)
    }

    /// Checks the entities of a set against the model, and notes them.
    ///
    /// Keys, names, references and the form of the JSON are checked whichever values are taken.
    ///
    /// - Throws: `PayloadError` with the place of what breaks a rule, ``StoreError``.
    package func check(
        _ json: [UInt8],
        of set: String,
        values: ImportedValues,
        noting entities: inout ImportedEntities
    ) async throws {
        let schema = try await store.schema()
        let text = DataFileText(json)
        try text.atPlaceInFile {
            try ImportCheck.check(
                text.payload,
                of: set,
                in: schema,
                values: values,
                noting: &entities
            )
        }
    }

    /// Checks that what the entities of a set name by references is in a file or in the store.
    ///
    /// - Parameter entities: Those of all files.
    /// - Throws: `PayloadError` with the place of what is not there.
    package func checkReferences(
        in json: [UInt8],
        of set: String,
        among entities: ImportedEntities
    ) async throws {
        guard entities.referring.contains(set) else { return }
        try await store.file.read { [store] connection in
            let schema = try store.schema(connection)
            let references = try ImportReferences(connection, schema: schema, among: entities)
            let text = DataFileText(json)
            try text.atPlaceInFile {
                try ImportCheck.check(text.payload, of: set, in: schema, references: references)
            }
        }
    }

    /// Returns the entities that foreign keys of the files lead to and that are neither in a file nor in the store.
    package func absentPrincipals(of entities: ImportedEntities) async throws
        -> Set<ImportedPrincipals>
    {
        let absent = entities.absentPrincipals
        guard !absent.isEmpty else { return [] }
        return try await store.read { query, _ in
            try absent.filter { try $0.candidates.allSatisfy { try query.rows($0.path).isEmpty } }
        }
    }

    /// Checks that no foreign key of a set's entities leads to one of these.
    ///
    /// - Throws: `PayloadError` with the place of the first one.
    package func checkForeignKeys(
        in json: [UInt8],
        of set: String,
        absent: Set<ImportedPrincipals>
    ) async throws {
        let schema = try await store.schema()
        let text = DataFileText(json)
        try text.atPlaceInFile {
            try ImportCheck.check(text.payload, of: set, in: schema, absent: absent)
        }
    }

    // MARK: Loading

    /// Merges the entities of sets into the store, all or none: `{"value":[…]}`, `[…]`, or the entity of a singleton.
    ///
    /// What an entity names by a reference may be in any of the files.
    ///
    /// - Parameters:
    ///   - files: By the names of their sets, those first that others refer to.
    ///   - values: What an entity does not mention has its default among declared values alone.
    /// - Throws: ``ImportFault`` where a text is no such payload; the store is untouched then.
    package func load(_ files: [(set: String, json: [UInt8])], values: ImportedValues)
        async throws
    {
        guard !files.isEmpty else { return }
        let work = DownloadWork(store)
        let stamp = try await work.begin()
        let (path, key) = (store.file.path, store.file.key)
        let staging = try await DiskWork.run { try StagingFile(besides: path, encryption: key) }
        defer { StagingFile.delete(besides: path) }
        let schema = try await store.schema()
        var loaded: [DownloadWork.Loaded] = []
        for (set, json) in files {
            let query = Self.query(set, selection: ImportSelection(json), in: schema)
            do {
                try await stage(
                    json,
                    query: query,
                    schema: schema,
                    in: staging,
                    stamp: stamp,
                    setsDefaults: values == .declared && ImportSelection(json) == nil
                )
            } catch let error as PayloadError {
                throw ImportFault(set: set, error: error)
            }
            loaded.append(DownloadWork.Loaded(task: .importing(query), deltaLink: nil))
        }
        try Task.checkCancellation()
        let merged = try await work.merge(loaded, staging: staging, stamp: stamp)
        if let refused = merged.refused.min(by: { $0.key < $1.key }) {
            throw StoreError(.invalid, "\(refused.key): \(refused.value)")
        }
        try await NestedCollections(schema).complete(rowsWith: stamp, in: store)
    }

    private func stage(
        _ json: [UInt8],
        query: DefiningQuery,
        schema: TableSchema,
        in staging: StagingFile,
        stamp: Int64,
        setsDefaults: Bool
    ) async throws {
        let page = try PageLoad(
            query,
            schema: schema,
            into: .staging(staging),
            stamp: stamp,
            isDelta: false
        )
        page.setsDefaults = setsDefaults
        page.limits = PayloadLimits(ofFile: json)
        do {
            _ = try await page.finishPage([DataFileText(json).payload])
            try await page.finish()
        } catch {
            await page.abandonPage()
            throw error
        }
    }

    // MARK: Streams

    /// Whether an entity is in a file or in the store.
    ///
    /// - Parameter entities: Those of all files.
    package func holds(_ path: EntityPath, among entities: ImportedEntities) async throws -> Bool {
        let schema = try await store.schema()
        if entities.holds(path, in: schema) { return true }
        return try await store.read { query, _ in try !query.rows(path).isEmpty }
    }

    /// Makes contents the streams of entities, as if a service had sent them.
    package func set(_ streams: [ImportedStream]) async throws {
        guard !streams.isEmpty else { return }
        try await store.file.write { [store] connection in
            let schema = try store.schema(connection)
            let query = try TableQuery(connection, layout: schema.layout)
            for stream in streams {
                guard let row = try query.rows(stream.owner).first,
                    let table = schema.layout[row.source]
                else { throw EditError(.notFound, "there is no such entity in the store") }
                try StreamTable(connection).setETag(stream.etag, of: stream.content)
                try StoreStreams(connection)
                    .setServerContent(
                        stream.content,
                        of: row.row,
                        property: stream.property,
                        in: table
                    )
            }
        }
    }

    /// Writes down that an import has begun.
    package func begin() async throws {
        try await store.file.write { try StoreState.begin(StoreState.imports, on: $0) }
    }

    /// Makes the store one that can be read.
    package func finish() async throws {
        try await store.file.write { connection in
            try StoreState.setOpened(connection)
            try StoreState.end(StoreState.imports, on: connection)
        }
    }

    /// An import that has failed is not one that was broken off: what called it knows.
    package func fail() async throws {
        try await store.file.write { try StoreState.end(StoreState.imports, on: $0) }
    }

    /// A query that is in no store, with a slot of its own for each set.
    private static func query(
        _ set: String,
        selection: ImportSelection?,
        in schema: TableSchema
    ) -> DefiningQuery {
        let place = schema.layout.sources.firstIndex { schema.model.name(of: $0) == set }
        return DefiningQuery(
            name: "import " + set,
            url: set + (selection.map { "?" + $0.options } ?? ""),
            slot: DefiningQuery.firstImportSlot + (place ?? 0),
            retrievesStreams: false,
            deltaLink: nil,
            nextLink: nil,
            lastDownload: nil,
            isLoaded: false,
            needsFullRead: false
        )
    }
}
