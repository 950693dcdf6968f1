package import StoreRecords
package import OfflineStore
package import ODataSQL
import ODataBinding
import ODataSQLite
import ODataValues
package import ODataModel
package import ODataPayload
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
    private let expectation: PayloadExpectation
    private let request: EntityPath
    private let isNested: Bool
    private let writer: PageWriter
    private let cancelFlag = CancelFlag()
    /// What a page may ask of its reader; set before the first byte.
    package var limits = PayloadLimits()
    /// Whether properties that entities leave out get their declared defaults: what a file leaves out no service has.
    package var setsDefaults: Bool {
        get { writer.setsDefaults }
        set { writer.setsDefaults = newValue }
    }
    /// The changes that reading and writing make room for; set before the first byte.
    package var waitingChanges: WaitingChanges? {
        get { writer.waitingChanges }
        set { writer.waitingChanges = newValue }
    }
    /// How the client cuts pages itself; nil where the service does.
    private let paging: KeySetPaging?
    // Touched by the task that loads, which calls one function after the other.
    private var reader: PayloadReader?
    private var buffer = RecordingBuffer(payloadBytes: PageLoad.usualSize)
    /// The buffer of the last writing; free when that is done.
    private var spare: RecordingBuffer?
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
    ///   - isDelta: Whether the pages contain changes since the last download.
    ///   - start: The address of the first page.
    ///   - nested: The collection inside of an entity that the pages go on with.
    ///   - paging: How the client cuts pages itself.
    ///   - root: Service root with a slash at its end.
    /// - Throws: ``StoreError`` where the query cannot be a defining query.
    package init(
        _ query: DefiningQuery,
        schema: TableSchema,
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
        try DefiningQueryCheck.checkOptions(query.name, bound.options, in: schema.model)
        // Behind a cast the entities need not name their type: the context does (OData JSON 4.01 § 4.6.3).
        let type = path.entityType(in: schema.model)
        let ownPlan = path.finalSource.flatMap { schema.plans.plan(for: $0, type: type) }
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
        expectation = Self.expectation(
            path,
            in: schema.model,
            isDelta: isDelta,
            isNested: nested != nil
        )
        request = path
        isNested = nested != nil
        trail = paging.map { KeyTrail($0.slots) }
        writer = PageWriter(
            query,
            schema: schema,
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

    /// What the answers must be.
    private static func expectation(
        _ path: EntityPath,
        in model: EdmModel,
        isDelta: Bool,
        isNested: Bool
    ) -> PayloadExpectation {
        let isSingle = path.isSingle(in: model) && !isNested
        guard isSingle else {
            return PayloadExpectation(.collection, requiresIdentity: true, leavesOutRelations: true)
        }
        // Changes come as a collection, also those of one entity.
        return PayloadExpectation(
            isDelta ? nil : .entity,
            requiresIdentity: true,
            isIdentityKnown: isNamed(path),
            leavesOutRelations: true
        )
    }

    /// Whether a path itself says which entity it means, by its key or as a singleton.
    private static func isNamed(_ path: EntityPath) -> Bool {
        for step in path.steps.reversed() {
            switch step {
            case .key: return true
            case .cast, .complex: continue
            case .navigation, .alternateKey, .localID: return false
            }
        }
        return true
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
    ///
    /// - Parameter check: Looks at the links before they are written down.
    package func finishPage(
        _ pieces: consuming [[UInt8]],
        check: (inout PageInfo) throws -> Void = { _ in }
    ) async throws -> PageInfo {
        try read(pieces)
        guard var info = try reader?.finish() else {
            throw StoreError(.invalid, "the service answered an empty page for \(query.name)")
        }
        reader = nil
        try PageContext(info.context, model: schema.model).check(request, isNested: isNested)
        try check(&info)
        if let paging { try setNextPage(of: &info, paging) }
        try await write(after: info)
        return info
    }

    /// Takes it that there is no entity, as the service says without a payload.
    package func finishWithout() async throws {
        try await write(after: PageInfo())
        try await finish()
    }

    /// Says where the page behind this one is to be had, where the service does not.
    ///
    /// What changes later cannot be asked for: a delta link would report this page's entities only.
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
        try buffer.recording.play(into: &trail)
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
        buffer.recording.reset()
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
                isDelta: isDelta,
                expecting: expectation,
                limits: limits
            )
        }
        pieces.reverse()
        while let piece = pieces.popLast() { try read(piece) }
    }

    private func read(_ piece: [UInt8]) throws {
        for start in stride(from: 0, to: piece.count, by: Self.sliceSize) {
            try cancelFlag.check()
            waitingChanges?.makeRoom()
            let end = min(start + Self.sliceSize, piece.count)
            try reader?.record(piece.span.extracting(start..<end), into: &buffer.recording)
        }
    }

    /// Begins to write what was read, as soon as what was read before is written.
    private func write(after page: PageInfo?) async throws {
        try await finish()
        let written = buffer
        buffer = spare ?? RecordingBuffer(payloadBytes: PageLoad.usualSize)
        spare = written
        buffer.recording.reset()
        writing = Task { [writer] in try await writer.write(written, after: page) }
    }

    /// Bytes of JSON that a recording usually holds.
    private static let usualSize = 1024 * 1024

    /// Whether the query brings nothing but the entities of one set, each once.
    package static func isPlain(_ query: DefiningQuery, in schema: TableSchema) -> NavigationSource?
    {
        guard let asked = AddressedEntities(query.url, in: schema.model), asked.path.steps.isEmpty,
            case .entitySet = asked.path.source, asked.options.expand.isEmpty,
            !QuerySelection.leavesKeysOut(query, in: schema)
        else { return nil }
        return asked.path.source
    }
}
