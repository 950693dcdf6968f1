package import ODataModel
package import ODataProtocol
package import ODataTables
import Synchronization

/// Loads the pages of one defining query: bytes as they arrive, into the staging file or straight into the store.
///
///     bytes ── read, on the caller's task ──> recording ── written, on the target's queue ──> rows
///
/// One recording is written while the next one is being read; each is one transaction, and none waits for the network.
package final class PageLoad: @unchecked Sendable {
    /// Where the rows go.
    package enum Destination: Sendable {
        case staging(StagingFile)
        /// The first load of a set that this query alone brings: no index is in the way, no merge is needed.
        case store(LocalStore, table: TableLayout)
    }

    private let schema: TableSchema
    private let query: DefiningQuery
    private let plan: EntityPlan
    private let isDelta: Bool
    private let writer: PageWriter
    private let cancelFlag = CancelFlag()
    /// How the client cuts pages itself; nil where the service does.
    private let paging: KeySetPaging?
    // Touched by the task that loads, which calls one function after the other.
    private var reader: PayloadReader?
    private var recording = EntityRecording()
    /// The key that the page ends with so far, and that the page before has ended with.
    private var trail: KeyTrail?
    private var lastKey: [Scalar]?
    /// The writing of the last recording.
    private var writing: Task<Void, any Error>?

    /// Bytes read between two looks at the cancel flag.
    private static let sliceSize = 128 * 1024

    /// Prepares the loading of a query.
    ///
    /// - Parameters:
    ///   - isDelta: Whether the pages tell changes since the last download.
    ///   - start: The address of the first page.
    ///   - nested: The collection inside of an entity that the pages go on with.
    ///   - paging: How the client cuts pages itself.
    ///   - root: Service root with a slash at its end.
    /// - Throws: ``StoreError`` where the query cannot be a defining query.
    package init(
        _ query: DefiningQuery,
        _ schema: TableSchema,
        into destination: Destination,
        stamp: Int64,
        isDelta: Bool,
        start: String = "",
        nested: NestedLink? = nil,
        paging: KeySetPaging? = nil,
        root: String? = nil
    ) throws {
        let bound = try BoundRequest(ofService: query.url, in: schema.model)
        guard case .entities(let path) = bound.resource, case .entities = path.target else {
            throw StoreError(
                .invalid,
                "the defining query \(query.name) must ask for entities: \(query.url)"
            )
        }
        let ownPlan = path.finalSource.flatMap { schema.plans.plan(for: $0) }
        guard let plan = try nested.map({ try Self.plan(of: $0, schema) }) ?? ownPlan else {
            throw StoreError(
                .invalid,
                "the defining query \(query.name) leads to no known entity set"
            )
        }
        self.schema = schema
        self.query = query
        self.plan = plan
        self.isDelta = isDelta
        self.paging = paging
        trail = paging.map { KeyTrail($0.slots) }
        writer = PageWriter(
            query,
            schema,
            into: destination,
            stamp: stamp,
            isDelta: isDelta,
            start: start,
            nested: nested,
            plan: plan,
            path: path,
            options: bound.options,
            cancelFlag: cancelFlag,
            root: root
        )
    }

    private static func plan(of nested: NestedLink, _ schema: TableSchema) throws -> EntityPlan? {
        guard let table = schema.layout.table(named: nested.table),
            let parent = schema.plans.plan(for: table.source)
        else { return nil }
        return schema.plans.plan(for: nested.navigation, from: parent)
    }

    /// Takes the next bytes of a page, in the pieces in which they came.
    ///
    /// - Throws: `PayloadError` where they are no payload, or what was wrong with writing those before.
    package func feed(_ pieces: consuming [[UInt8]]) async throws {
        try read(pieces)
        try followTrail()
        try await write(after: nil)
    }

    /// Takes the last bytes of a page; they are committed together with where the load goes on.
    package func finishPage(_ pieces: consuming [[UInt8]]) async throws -> PageInfo {
        try read(pieces)
        guard var info = try reader?.finish() else {
            throw StoreError(.invalid, "the service answered an empty page for \(query.name)")
        }
        reader = nil
        if let paging { try setNextPage(of: &info, paging) }
        try await write(after: info)
        return info
    }

    /// Says where the page behind this one is to be had, where the service does not.
    ///
    /// What changes later cannot be asked for: a delta link would tell of this page's entities only.
    private func setNextPage(of info: inout PageInfo, _ paging: KeySetPaging) throws {
        info.deltaLink = nil
        try followTrail()
        // Behind a page without entities there is nothing, whatever link it bears.
        if info.entityCount == 0 { info.nextLink = nil }
        guard info.nextLink == nil, info.entityCount > 0, let key = trail?.last else { return }
        guard key != lastKey else {
            throw StoreError(
                .invalid,
                "the service answers the same entities of \(query.name) again: it does not take $filter on the key, so leave clientDrivenPageSize out"
            )
        }
        lastKey = key
        info.nextLink = paging.page(after: key)
    }

    /// Notes the keys of what has been read since the last writing.
    private func followTrail() throws {
        guard var trail else { return }
        try recording.play(into: &trail)
        self.trail = trail
    }

    /// Waits until everything is written.
    package func finish() async throws {
        let last = writing.take()
        try await last?.value
    }

    /// Gives up the page that is being loaded; what it has brought to the store goes when the load goes on.
    package func abandonPage() async {
        reader = nil
        recording = EntityRecording()
        trail = paging.map { KeyTrail($0.slots) }
        try? await finish()
        await writer.forget()
    }

    /// Makes reading and writing end soon; may be called by any thread.
    package func cancel() {
        cancelFlag.set()
    }

    /// Reads the pieces; the memory of each is free as soon as it is read, for the next page is arriving already.
    private func read(_ pieces: consuming [[UInt8]]) throws {
        guard pieces.contains(where: { !$0.isEmpty }) else { return }
        if reader == nil {
            reader = PayloadReader(
                model: schema.model,
                plan: plan,
                plans: schema.plans,
                isDelta: isDelta
            )
        }
        pieces.reverse()
        while let piece = pieces.popLast() { try read(piece) }
    }

    private func read(_ piece: [UInt8]) throws {
        for start in stride(from: 0, to: piece.count, by: Self.sliceSize) {
            try cancelFlag.check()
            let end = min(start + Self.sliceSize, piece.count)
            try reader?.record(piece.span.extracting(start..<end), into: &recording)
        }
    }

    /// Begins to write what was read, as soon as what was read before is written.
    private func write(after page: PageInfo?) async throws {
        try await finish()
        let written = recording
        recording = EntityRecording(payloadBytes: PageLoad.usualSize)
        writing = Task { [writer] in try await writer.write(written, after: page) }
    }

    /// Bytes of JSON that a recording usually holds.
    private static let usualSize = 1024 * 1024

    /// Whether the query brings nothing but the entities of one set, each once.
    package static func isPlain(_ query: DefiningQuery, in schema: TableSchema) -> NavigationSource?
    {
        guard let bound = try? BoundRequest(ofService: query.url, in: schema.model),
            case .entities(let path) = bound.resource, path.steps.isEmpty,
            case .entitySet = path.source, bound.options.expand.isEmpty
        else { return nil }
        return path.source
    }
}
