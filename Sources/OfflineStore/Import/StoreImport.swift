package import ODataModel
import ODataProtocol
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

    /// Checks the entities of a set against the model, as local changes are checked, and notes them.
    ///
    /// - Throws: `PayloadError` with the place of what breaks a rule, ``StoreError``.
    package func check(
        _ json: [UInt8],
        of set: String,
        noting entities: inout ImportedEntities
    ) async throws {
        let schema = try await store.schema()
        try Self.atPlaceInFile(json) {
            try ImportCheck.check(Self.payload(json), of: set, schema, noting: &entities)
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
            let references = try ImportReferences(connection, schema, among: entities)
            try Self.atPlaceInFile(json) {
                try ImportCheck.check(Self.payload(json), of: set, schema, references)
            }
        }
    }

    /// Merges the entities of a set into the store: `{"value":[…]}`, `[…]`, or the entity of a singleton; answers how many.
    ///
    /// - Throws: `PayloadError` where the text is no such payload; the store is untouched then.
    @discardableResult
    package func load(_ json: [UInt8], into set: String) async throws -> Int {
        let work = DownloadWork(store)
        let selection = ImportSelection(json)
        let query = Self.query(set, selection)
        let stamp = try await work.begin()
        let path = store.file.path
        let staging = try await DiskWork.run { try StagingFile(besides: path) }
        defer { StagingFile.delete(besides: path) }
        let page = try PageLoad(
            query,
            try await store.schema(),
            into: .staging(staging),
            stamp: stamp,
            isDelta: false
        )
        page.setsDefaults = selection == nil
        let info: PageInfo
        do {
            info = try await page.finishPage([Self.payload(json)])
            try await page.finish()
        } catch {
            await page.abandonPage()
            throw error
        }
        // Merged like changes: what other files brought before is not removed.
        let task = DownloadWork.Task(query: query, direct: nil, isDelta: true)
        _ = try await work.merge(
            [DownloadWork.Loaded(task: task, deltaLink: nil)],
            staging: staging,
            stamp: stamp
        )
        return info.entityCount
    }

    /// Makes the store one that can be read.
    package func finish() async throws {
        try await store.file.write { try StoreState.setOpened($0) }
    }

    /// A query that is in no store; its bit is one that no defining query gets.
    private static func query(_ set: String, _ selection: ImportSelection?) -> DefiningQuery {
        DefiningQuery(
            name: "import " + set,
            url: set + (selection.map { "?$select=" + $0.names } ?? ""),
            slot: DefiningQueries.maximumCount,
            retrievesStreams: false,
            deltaLink: nil,
            nextLink: nil,
            lastDownload: nil,
            isLoaded: false,
            needsFullRead: false
        )
    }

    /// What stands before an array to make a payload of OData of it.
    private static let arrayHead = Array("{\"value\":".utf8)

    private static func isArray(_ json: [UInt8]) -> Bool {
        json.first { $0 > 0x20 } == UInt8(ascii: "[")
    }

    private static func payload(_ json: [UInt8]) -> [UInt8] {
        isArray(json) ? arrayHead + json + [UInt8(ascii: "}")] : json
    }

    /// Runs work whose errors name places in the payload; they become places in the file.
    private static func atPlaceInFile(_ json: [UInt8], _ work: () throws -> Void) throws {
        do {
            try work()
        } catch var error as PayloadError {
            if isArray(json) {
                error.byteOffset = max(0, error.byteOffset - arrayHead.count)
                if error.line == 1 { error.column = max(1, error.column - arrayHead.count) }
            }
            throw error
        }
    }
}
