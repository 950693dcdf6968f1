package import ODataSQLite
import ODataValues
package import ODataBinding
import ODataSQL
package import ODataModel
package import ODataURL

/// What was found in one state of a store's file, kept by one of its connections.
package protocol FileFindings: AnyObject {}

/// What a reading connection has worked out for one version of the model and the tables: requests by their text, and reads by key.
package final class PlanCache: RequestMemory {
    /// The model with its tables.
    package let schema: TableSchema
    /// The model's number in the file.
    package let modelVersion: Int64
    /// Tables that exist.
    let tables: Set<String>
    /// The number of the file's schema that `tables` belong to.
    private let tablesVersion: Int64?
    /// The file's version that the plans were last compared with, as the connection counts.
    private var fileVersion: Int64
    private var stateVersion: UInt32
    private var requests: [RequestText: (request: KnownRequest, used: UInt64)] = [:]
    private var keyed: [KeyedPlan: LevelPlan] = [:]
    private var keyedReads: [String: KeyedRead] = [:]
    /// Most reads are of one set for a while.
    private var lastKeyedRead: KeyedRead?
    /// The last read by key: who looks for the entity first reads it then.
    private var lastKeyed: (text: RequestText, request: KnownRequest)?
    /// Statements that find the row of a key.
    private var rowTexts: [NavigationSource: SQLText] = [:]
    /// Reads by key that also return the holders of the entity.
    private var heldReads: [NavigationSource: HeldRead] = [:]
    /// An entity that was read while it was looked for, for the read that follows in the same transaction.
    private var readAhead:
        (plan: LevelPlan, key: [Scalar], batch: RowBatch, request: KnownRequest?)?
    private var clock: UInt64 = 0
    /// What a layer above has found in the present state of the file; forgotten when the file has changed.
    package var findings: (any FileFindings)?

    /// Requests that are kept; the least recently used goes first.
    static let maximumRequests = 128
    /// Longer requests cost more to keep than to read again, in comparison.
    static let maximumLength = 4_096
    /// Sets whose reads by key are kept, in all formats together.
    static let maximumKeyedPlans = 256

    /// A read of one entity with all of its properties.
    private struct KeyedPlan: Hashable {
        var source: NavigationSource
        var format: AnswerFormat
        /// The table of the lists whose rows are read instead of that of a key.
        var list: String?
    }

    /// Begins anew with the state of the file that the connection's transaction sees.
    package init(_ connection: SQLiteConnection, schema: TableSchema, modelVersion: Int64) throws {
        self.schema = schema
        self.modelVersion = modelVersion
        tables = try TableCatalog.existingTables(connection)
        tablesVersion = connection.tableNamesVersion
        fileVersion = try connection.fileVersion()
        stateVersion = connection.stateVersion
    }

    /// Whether the file is as it was when the plans were last compared with it; in a transaction.
    package func isCurrent(_ connection: SQLiteConnection) throws -> Bool {
        readAhead = nil
        guard try connection.fileVersion() == fileVersion else { return false }
        stateVersion = connection.stateVersion
        return true
    }

    /// Compares the plans with a file that has changed: they are good while model and tables are the same.
    package func isGood(_ connection: SQLiteConnection, modelVersion: Int64) throws -> Bool {
        _ = try TableCatalog.existingTables(connection)
        guard modelVersion == self.modelVersion, connection.tableNamesVersion == tablesVersion
        else {
            return false
        }
        findings = nil
        fileVersion = try connection.fileVersion()
        stateVersion = connection.stateVersion
        return true
    }

    /// Whether the file is as it was when the plans were last compared with it; after a statement's first step.
    func isUnchanged(_ connection: SQLiteConnection) -> Bool {
        connection.stateVersion == stateVersion
    }

    // MARK: Requests

    /// Returns the request that a text is in a version of the language, bound the first time.
    ///
    /// - Throws: ``ODataURLError`` where it is none.
    package func request(
        _ text: String,
        version: ODataVersion = .v401,
        limits: URLLimits = URLLimits()
    ) throws(ODataURLError) -> KnownRequest {
        if let lastKeyed, lastKeyed.text.isOf(text, version: version, limits: limits) {
            return lastKeyed.request
        }
        let key = RequestText(text, version: version, limits: limits)
        if let known = requests[key] {
            clock += 1
            requests[key]?.used = clock
            return known.request
        }
        let request = KnownRequest(
            try BoundRequest(parsing: text, in: schema.model, version: version, limits: limits)
        )
        // Reads by key share one plan: their texts are as many as there are entities.
        if request.bound.isKeyed {
            lastKeyed = (key, request)
        } else if key.bytes.count <= Self.maximumLength {
            keep(request, key: key)
        }
        return request
    }

    private func keep(_ request: KnownRequest, key: RequestText) {
        if requests.count >= Self.maximumRequests,
            let oldest = requests.min(by: { $0.value.used < $1.value.used })
        {
            requests[oldest.key] = nil
        }
        clock += 1
        requests[key] = (request, clock)
    }

    // MARK: Reads by key

    /// Returns the plan of a read by key, made by the function the first time; its values are those of the key.
    func plan(
        ofKeyOf source: NavigationSource,
        format: AnswerFormat,
        make: () throws -> LevelPlan
    ) rethrows -> LevelPlan {
        try plan(at: KeyedPlan(source: source, format: format), make)
    }

    /// Returns the plan of a list's entities with all of their properties, made by the function the first time; its value is the
    /// list's number.
    func plan(
        of list: RowList,
        from source: NavigationSource,
        format: AnswerFormat,
        make: () throws -> LevelPlan
    ) rethrows -> LevelPlan {
        try plan(at: KeyedPlan(source: source, format: format, list: list.table), make)
    }

    private func plan(at place: KeyedPlan, _ make: () throws -> LevelPlan) rethrows -> LevelPlan {
        if let known = keyed[place] { return known }
        let plan = try make()
        if keyed.count < Self.maximumKeyedPlans { keyed[place] = plan }
        return plan
    }

    /// Returns the statement that finds the row of a set's key, made by the function the first time.
    func rowText(_ source: NavigationSource, make: () throws -> String) rethrows -> SQLText {
        if let known = rowTexts[source] { return known }
        let text = SQLText(try make())
        if rowTexts.count < Self.maximumKeyedPlans { rowTexts[source] = text }
        return text
    }

    /// Returns the read by key that lists the holders of the entity, made by the function the first time.
    func heldRead(_ source: NavigationSource, make: () throws -> HeldRead?) rethrows -> HeldRead? {
        if let known = heldReads[source] { return known }
        guard let made = try make() else { return nil }
        if heldReads.count < Self.maximumKeyedPlans { heldReads[source] = made }
        return made
    }

    /// Keeps an entity that was read while it was looked for, until the transaction is over.
    func keep(
        _ batch: RowBatch,
        of plan: LevelPlan,
        key: [Scalar],
        request: KnownRequest?
    ) {
        readAhead = (plan, key, batch, request)
    }

    /// Returns the entity of a request that this transaction has read already; once.
    func takeReadAhead(of request: KnownRequest) -> RowBatch? {
        guard let readAhead, readAhead.request === request else { return nil }
        self.readAhead = nil
        return readAhead.batch
    }

    /// Returns the entity of a key that this transaction has read already by a plan; once.
    func takeReadAhead(_ plan: LevelPlan, key: some Sequence<Scalar>) -> RowBatch? {
        guard let readAhead, readAhead.plan === plan, readAhead.key.elementsEqual(key) else {
            return nil
        }
        self.readAhead = nil
        return readAhead.batch
    }

    /// Returns the read by key of a set, where there was one before.
    package func keyedRead(_ name: String) -> KeyedRead? {
        if let last = lastKeyedRead, last.isOf(name) { return last }
        // Swift compares by canonical equivalence, OData code point by code point.
        guard let known = keyedReads[name], known.isOf(name) else { return nil }
        lastKeyedRead = known
        return known
    }

    func keep(_ read: KeyedRead) {
        if keyedReads.count < Self.maximumKeyedPlans { keyedReads[read.name] = read }
    }
}

extension BoundRequest {
    /// Whether it asks for one entity of a set by its key.
    fileprivate var isKeyed: Bool {
        guard case .entities(let path) = resource, case .entities = path.target else {
            return false
        }
        return path.onlyKey != nil && options.asksForAll
    }
}

extension EntityPath {
    /// Whether the path is a set or a singleton and nothing more.
    var isSource: Bool {
        guard case .entities = target else { return false }
        return steps.isEmpty
    }

    /// The key where the path is a set and a key.
    var onlyKey: [Scalar]? {
        guard steps.count == 1, case .key(let values) = steps[0] else { return nil }
        return values
    }
}

extension BoundOptions {
    /// Whether no option says what is answered of an entity.
    package var asksForAll: Bool {
        guard case .everything = select, items.isEmpty else { return false }
        return filter == nil && search == nil && orderBy.isEmpty && top == nil && skip == nil
            && !count && expand.isEmpty && compute.isEmpty && apply.isEmpty && skipToken == nil
            && deltaToken == nil
    }

    /// Whether an entity holds its properties and related entities, and nothing that the request makes.
    var hasPlainValues: Bool {
        guard compute.isEmpty, apply.isEmpty, joined.isEmpty else { return false }
        return expand.allSatisfy { item in
            guard case .entities = item.shape else { return false }
            return !item.options.count && item.options.hasPlainValues
        }
    }
}
