package import ODataSQLite
package import StoreRecords
import ODataSQL
import ODataValues
package import ODataBinding
package import ODataModel
import ODataPayload
import ODataHTTP
import ODataAnswers
package import ODataTables

/// Takes back, repeats, edits and moves waiting requests, in the caller's write transaction.
package struct QueueEditor {
    package let connection: SQLiteConnection
    let schema: TableSchema
    let queue: RequestQueue
    let journal: EffectJournal
    var layout: Layout { schema.layout }
    var rebuild: RowRebuild { RowRebuild(connection, layout: layout) }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
        queue = RequestQueue(connection)
        journal = EffectJournal(connection)
    }

    /// Whether a request with unknown outcome may be taken back: the service may have carried it out.
    package enum Consent: Sendable {
        case onlyUnsent
        case includingUnknownOutcome
    }

    // MARK: Finding

    func entry(_ id: Int64) throws -> QueueEntry {
        guard let entry = try queue.entry(id) else {
            throw StoreError(.notFound, "there is no request \(id) in the queue or the archive")
        }
        return entry
    }

    /// - Throws: ``StoreError`` where the request is on its way, or may have taken effect.
    func check(_ entry: QueueEntry, consent: Consent = .onlyUnsent) throws {
        switch entry.status {
        case .sending:
            throw StoreError(
                .wrongState,
                "request \(entry.id) is being sent: wait for the end of the upload, or upload again to settle it"
            )
        case .unknownOutcome where consent == .onlyUnsent:
            throw StoreError(
                .wrongState,
                "the service may have carried out request \(entry.id), its answer was lost: look there for its effect; to take it back all the same, say that the outcome is unknown (`queue drop \(entry.id) --even-if-unknown` on the command line)"
            )
        default: break
        }
    }

    // MARK: Taking back

    /// Takes requests out, with those that depend on them, with the other members of their transactions, and with what all of them
    /// did; answers them.
    ///
    /// What was to take effect together goes together: see ``split(_:)`` for keeping the rest.
    @discardableResult
    package func drop(_ ids: Set<Int64>, consent: Consent = .onlyUnsent) throws -> [QueueEntry] {
        try remove(closure(of: ids), consent: consent)
    }

    /// Takes a request out as `drop` does, and notes it in the event log as one that lost against the service's version.
    package func dropNoted(_ id: Int64) throws {
        _ = try drop([id], consent: .onlyUnsent) { try ConflictLosses.note($0, on: connection) }
    }

    /// Takes requests out as `drop` does; what they lose is noted while it is still there.
    func drop(
        _ ids: Set<Int64>,
        consent: Consent,
        noting note: (QueueEntry) throws -> Void
    ) throws -> [QueueEntry] {
        let closure = try closure(of: ids)
        for id in closure.sorted() { try note(entry(id)) }
        return try remove(closure, consent: consent)
    }

    /// Requests with those that depend on them, and the other members of their transactions.
    private func closure(of ids: Set<Int64>) throws -> Set<Int64> {
        var closure: Set<Int64> = []
        var left = Array(ids)
        while let id = left.popLast() {
            guard closure.insert(id).inserted else { continue }
            left += try queue.dependents(of: id)
            guard let transaction = try entry(id).transaction else { continue }
            left += try queue.entries(inTransaction: transaction).map(\.id)
        }
        return closure
    }

    /// Takes requests out, with those that depend on them, and leaves the other members of their transactions.
    @discardableResult
    func dropAlone(_ ids: Set<Int64>) throws -> [QueueEntry] {
        var closure = ids
        for id in ids { closure.formUnion(try queue.dependents(of: id)) }
        return try remove(closure, consent: .onlyUnsent)
    }

    /// Takes out nothing but these requests, each with a note in the event log.
    func dropNoted(_ ids: Set<Int64>) throws {
        for id in ids.sorted() { try ConflictLosses.note(entry(id), on: connection) }
        try remove(ids, consent: .onlyUnsent)
    }

    @discardableResult
    private func remove(_ closure: Set<Int64>, consent: Consent) throws -> [QueueEntry] {
        let entries = try closure.sorted().map(entry)
        for entry in entries { try check(entry, consent: consent) }
        try undo(entries) { for entry in entries { try queue.remove(entry.id) } }
        try queue.unpark()
        return entries
    }

    /// Runs a change of requests and rebuilds whatever they touched.
    func undo(_ entries: [QueueEntry], change: () throws -> Void) throws {
        let (rows, links) = try touched(by: entries)
        let left = try GoneTargets(self).rows(leftBy: rows)
        try change()
        try rebuild.rebuild(rows, links: links)
        try LostPrincipals(self).release(rows)
        try OrphanedRows.note(left + links.flatMap { [$0.source, $0.target] }, on: connection)
        // What the requests have held in the store may be outside of its scope.
        try AnswerCounter.forgetMark(AnswerCounter.scope, on: connection)
    }

    func touched(by entries: [QueueEntry]) throws -> (rows: Set<ChangedRow>, links: Set<RowLink>) {
        var rows: Set<ChangedRow> = []
        var links: Set<RowLink> = []
        for entry in entries {
            let effects = try journal.effects(of: entry.id)
            rows.formUnion(effects.compactMap(\.row))
            links.formUnion(effects.compactMap(\.link))
            if let row = entry.row, let table = table(of: entry) {
                rows.insert(ChangedRow(table: table.name, row: row))
            }
        }
        return (rows, links)
    }

    func table(of entry: QueueEntry) -> TableLayout? {
        entry.source.flatMap { schema.source(named: $0) }.flatMap { layout[$0] }
    }

    /// Takes back a request of the archive.
    @discardableResult
    package func discardError(_ id: Int64) throws -> [QueueEntry] {
        guard try entry(id).status == .failed else {
            throw StoreError(.wrongState, "request \(id) is not in the error archive")
        }
        return try drop([id], consent: .onlyUnsent, noting: noteConflict)
    }

    /// Notes the local side of a conflict that ends with a request that is taken back.
    private func noteConflict(_ entry: QueueEntry) throws {
        guard [409, 412, 428].contains(entry.failure?.httpStatus) else { return }
        try ConflictLosses.note(entry, on: connection)
    }

    /// Takes back every request of the archive.
    @discardableResult
    package func discardAllErrors() throws -> [QueueEntry] {
        try drop(
            Set(queue.entries([.failed]).map(\.id)),
            consent: .onlyUnsent,
            noting: noteConflict
        )
    }

    /// Takes back the unsent changes of entities, named by their URLs; answers the requests that went.
    @discardableResult
    package func undo(_ urls: [String], consent: Consent = .onlyUnsent) throws -> [QueueEntry] {
        var ids: Set<Int64> = []
        for url in urls {
            ids.formUnion(try journal.requests(on: entity(url).row))
        }
        return try drop(ids, consent: consent)
    }

    /// Takes back every unsent change.
    @discardableResult
    package func undoAll(_ consent: Consent = .onlyUnsent) throws -> [QueueEntry] {
        let all = try queue.entries([.pending, .sending, .failed, .parked, .unknownOutcome])
        return try drop(Set(all.map(\.id)), consent: consent)
    }

    // MARK: Sending again

    /// Lets a refused request, or one whose outcome is not known, wait again.
    ///
    /// One that the service may recognise keeps its identity and is sent as what it was; others get a new one.
    package func retry(_ id: Int64) throws {
        let entry = try entry(id)
        guard [.failed, .unknownOutcome].contains(entry.status) else {
            throw StoreError(
                .wrongState,
                "request \(id) is \(entry.status.rawValue): only refused ones can be tried again"
            )
        }
        guard entry.status == .unknownOutcome, entry.flags.contains(.identified),
            let unit = entry.unit
        else { return try makePending(id) }
        for member in try queue.entries(ofUnit: unit) { try queue.set(.sending, of: member.id) }
    }

    /// Puts a request back among those that wait; the members of its change set were refused together and go together.
    ///
    /// - Parameter readingETag: Whether a request that the service refused for its ETag is to be compared with the service's version
    ///   before it is sent again: the ETag that it had would be refused for ever, and another one must overwrite nothing unseen.
    func makePending(_ id: Int64, readingETag: Bool = true) throws {
        let entry = try entry(id)
        var entries = [entry]
        if let transaction = entry.transaction,
            [.failed, .unknownOutcome].contains(entry.status)
        {
            entries += try queue.entries(inTransaction: transaction).filter {
                $0.status == entry.status && $0.id != id
            }
        }
        try makePending(entries, readingETag: readingETag)
    }

    private func makePending(_ entries: [QueueEntry], readingETag: Bool = true) throws {
        for entry in entries where readingETag { try forgetRefusedETag(of: entry) }
        for entry in entries { try queue.reset(entry.id) }
        // One that was only edited may still wait for a refused one.
        for entry in entries { try queue.parkIfBlocked(entry.id) }
        try queue.unpark()
        for item in try touched(by: entries).rows {
            guard let table = layout.table(named: item.table) else { continue }
            try rebuild.updateState(of: item.row, table)
        }
    }

    /// Makes the next upload read the entity, or the stream, whose state the service refused a request for.
    private func forgetRefusedETag(of entry: QueueEntry) throws {
        guard let row = entry.row, let status = entry.failure?.httpStatus,
            [409, 412, 428].contains(status), ["PATCH", "PUT", "DELETE"].contains(entry.method),
            !entry.isLinkChange
        else { return }
        let mark = try isOvertaken(entry) ? ETagState.overtaken : ETagState.stale
        try connection.run(
            "UPDATE \"$queue\" SET \"etag\" = ?3 WHERE \"row\" = ?1 AND \"streamProperty\" IS ?2",
            [.integer(row), .init(entry.streamProperty), .text(mark)]
        )
        guard entry.streamProperty == nil, let table = table(of: entry),
            try TableCatalog(connection, layout: layout).exists(table.baseName)
        else { return }
        try connection.run(
            "UPDATE \(table.baseName.sqlQuoted) SET \"$etag\" = ?2 WHERE \"$id\" = ?1",
            [.integer(row), .text(ETagState.stale)]
        )
    }

    /// Whether the service is known to have another content of a stream than the one that a request was made on.
    private func isOvertaken(_ entry: QueueEntry) throws -> Bool {
        guard let row = entry.row, let property = entry.streamProperty, let etag = entry.etag else {
            return false
        }
        if etag == ETagState.overtaken { return true }
        let present = try StoreStreams(connection).serverHead(of: row, property)?.etag
        return etag != ETagState.stale && present != nil && !EntityTag.areSame(present, etag)
    }

    /// Dissolves the transaction of a request: its members wait again, each by itself; answers them.
    @discardableResult
    package func split(_ id: Int64) throws -> [QueueEntry] {
        let entry = try entry(id)
        guard let transaction = entry.transaction else {
            throw StoreError(.wrongState, "request \(id) belongs to no transaction")
        }
        let members = try queue.entries(inTransaction: transaction)
        for member in members where member.status == .sending { try check(member) }
        try connection.run(
            "UPDATE \"$queue\" SET \"transaction\" = NULL WHERE \"transaction\" = ?1",
            [.text(transaction)]
        )
        try makePending(members.filter { $0.status == .failed })
        return members
    }

    // MARK: Order

    /// Where a request is moved to.
    package enum Place: Sendable {
        case before(Int64)
        case after(Int64)
    }

    /// Moves a request, as far as no request comes before one that it depends on.
    package func move(_ id: Int64, to place: Place) throws {
        try check(entry(id))
        let other =
            switch place {
            case .before(let other), .after(let other): other
            }
        _ = try entry(other)
        var order = try queue.order()
        order.removeAll { $0 == id }
        guard let index = order.firstIndex(of: other) else { return }
        if case .before = place {
            order.insert(id, at: index)
        } else {
            order.insert(id, at: index + 1)
        }
        try checkOrder(order, of: id)
        try queue.setOrder(order)
    }

    private func checkOrder(_ order: [Int64], of id: Int64) throws {
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        let own = places[id] ?? 0
        for dependency in try queue.dependencies(of: id) where places[dependency] ?? -1 > own {
            throw StoreError(.invalid, "request \(id) depends on request \(dependency)")
        }
        for dependent in try queue.dependents(of: id) where places[dependent] ?? .max < own {
            throw StoreError(.invalid, "request \(dependent) depends on request \(id)")
        }
    }
}

extension QueueEditor {
    /// Finds the entity that a URL means; also one that is deleted here, and one that a request is about
    /// (`ErrorArchive(5)/AffectedEntity`).
    func entity(_ url: String) throws -> ChangedEntity {
        guard let found = try entities(url).first else {
            throw StoreError(.notFound, "there is no such entity in the store: \(url)")
        }
        return found
    }

    /// Finds the entity in conflict that a URL means: where one was deleted here, and another created with its key, it may be either.
    func conflictedEntity(_ url: String) throws -> ChangedEntity {
        let found = try entities(url)
        let conflicted = try found.first { try isInConflict($0) }
        return try conflicted ?? found.first ?? entity(url)
    }

    /// The entities that a URL addresses: the existing one, then the one with the same key that is deleted here.
    private func entities(_ url: String) throws -> [ChangedEntity] {
        let relative = try ownURL(url)
        if let row = try AffectedEntityURL.row(relative, on: connection, in: schema),
            let table = layout[row.source],
            try rebuild.rows.holder(of: row.row, in: table) != nil
        {
            return [ChangedEntity(row: row.row, table: table, source: row.source)]
        }
        let path = try path(relative, url: url)
        var found: [ChangedEntity] = []
        if let row = try TableQuery(connection, layout: layout).rows(path).first,
            let table = layout[row.source]
        {
            found.append(ChangedEntity(row: row.row, table: table, source: row.source))
        }
        if let deleted = try deletedEntity(path) { found.append(deleted) }
        return found
    }

    /// A URL relative to the service root.
    ///
    /// - Throws: ``StoreError`` where it leads to another service.
    private func ownURL(_ url: String) throws -> String {
        if let root = try ServiceRoot.text(connection), LinkConvention.isAbsolute(url) {
            let stated = try ServiceRoot.stated(connection)
            let kept = LinkConvention(schema, root: root, statedRoot: stated).normalized(url)
            guard !LinkConvention.isAbsolute(kept) else {
                throw StoreError(
                    .invalid,
                    "a URL below the service root \(root) is expected, relative to it"
                )
            }
        }
        return try ServiceRoot.relative(url, on: connection)
    }

    private func path(_ relative: String, url: String) throws -> EntityPath {
        let request = try BoundRequest(
            ofApplication: AffectedEntityURL.resolved(
                relative,
                on: connection,
                in: schema,
                includesDeleted: true
            ),
            in: schema.model
        )
        guard case .entities(let path) = request.resource,
            path.finalSource.map({ !BuiltInSets.contains($0, in: schema.model) }) ?? true
        else {
            throw StoreError(.invalid, "the URL addresses no entity: \(url)")
        }
        guard path.isSingle(in: schema.model) else {
            throw StoreError(
                .invalid,
                "the URL addresses a collection, not one entity: \(url); give a key, e.g. Orders(1)"
            )
        }
        return path
    }

    /// The row that contains the entity at the end of a path; it may be deleted here itself.
    private func parentRow(of path: EntityPath) throws -> Int64? {
        var owner = path
        owner.steps.removeLast()
        guard case .navigation? = owner.steps.popLast() else { return nil }
        if let row = try TableQuery(connection, layout: layout).rows(owner).first { return row.row }
        while case .cast? = owner.steps.last { owner.steps.removeLast() }
        return try deletedEntity(owner)?.row
    }

    /// An entity that was deleted here stands among the base copies.
    package func deletedEntity(_ path: EntityPath) throws -> ChangedEntity? {
        var path = path
        while case .cast? = path.steps.last { path.steps.removeLast() }
        guard let source = path.finalSource, let table = layout[source],
            try TableCatalog(connection, layout: layout).exists(table.baseName)
        else { return nil }
        let condition: String
        var values: [Scalar] = []
        switch path.steps.last {
        case .key(let key)? where key.count == table.keyColumns.count:
            condition = table.identityCondition
            values = key
            if table.isContained {
                guard let parent = try parentRow(of: path) else { return nil }
                values.append(.integer(parent))
            }
        case .localID(let text)?:
            guard let id = LocalID(text: text) else { return nil }
            condition = "\"$id\" = (SELECT \"row\" FROM \"$local\" WHERE \"id\" = ?1)"
            values = [.blob(id.bytes)]
        default: return nil
        }
        let row = try connection.integer(
            """
            SELECT "$id" FROM \(table.baseName.sqlQuoted) WHERE \(condition)
                AND "$id" NOT IN (SELECT "$id" FROM \(table.sql))
            """,
            values
        )
        return row.map { ChangedEntity(row: $0, table: table, source: source) }
    }
}

/// An entity with local changes.
package struct ChangedEntity {
    package var row: Int64
    var table: TableLayout
    package var source: NavigationSource

    /// The plan of the entity's own type in one of its versions: derived types declare properties that the set's type has not.
    ///
    /// - Parameter name: The table of the version; nil for the first that there is.
    func plan(
        of name: String? = nil,
        on connection: SQLiteConnection,
        in schema: TableSchema
    ) throws -> EntityPlan? {
        let catalog = TableCatalog(connection, layout: schema.layout)
        let names = name.map { [$0] } ?? [table.name, table.baseName, table.serverName]
        for name in names where try catalog.exists(name) {
            let code = try connection.integer(
                "SELECT \(SystemColumn.type.sql) FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
            guard let code, table.types.indices.contains(Int(code)) else { continue }
            return schema.plans.plan(for: source, type: table.types[Int(code)])
        }
        return schema.plans.plan(for: source)
    }
}
