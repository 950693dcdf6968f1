import ODataSQLite
import StoreRecords
import StoreUpload
import ODataSQL
import ODataValues
import ODataPayload
import ODataModel
import ODataTables

/// Ordinary changes of an entity whose earlier change was refused: the refused request is corrected and waits again.
struct Correction {
    private let transaction: StoreTransaction
    private var connection: SQLiteConnection { transaction.connection }
    private var queue: RequestQueue { RequestQueue(connection) }

    init(_ transaction: StoreTransaction) {
        self.transaction = transaction
    }

    /// Splits an update of an entity with a refused request behind which others wait.
    ///
    /// What these set too comes behind them, and everything else becomes a part of the refused one. Nil where the update is of one kind.
    ///
    /// - Parameter entries: The requests of the entity.
    func parts(of body: EntityBody, among entries: [QueueEntry]) throws -> (
        refused: Int64, correcting: EntityBody, following: EntityBody
    )? {
        guard let place = entries.firstIndex(where: { $0.status == .failed }) else { return nil }
        let claims = try claims(of: entries[(place + 1)...])
        let correcting = claims.part(of: body, isClaimed: false)
        let following = claims.part(of: body, isClaimed: true)
        return correcting.isEmpty || following.isEmpty
            ? nil : (entries[place].id, correcting, following)
    }

    /// Merges an update into the refused request of the entity; answers whether nothing is left to queue.
    ///
    /// The refused request gets the new values. What later requests of the entity set as well is queued after them too, so that the last
    /// word stays the last, and the refused one gets what it says itself.
    ///
    /// - Parameters:
    ///   - entries: The requests of the entity.
    ///   - refused: The refused one, where it waits again by now, since a part of the update has corrected it.
    func correct(
        with body: EntityBody,
        isReplacing: Bool,
        _ involved: RequestQueue.Involved,
        among entries: [QueueEntry],
        refused: Int64? = nil
    ) throws -> Bool {
        let place = entries.firstIndex { $0.status == .failed || $0.id == refused }
        let isLast =
            try place.map { place in
                let later = entries[(place + 1)...]
                return try later.isEmpty
                    || !isReplacing && claims(of: later).part(of: body, isClaimed: true).isEmpty
            } ?? entries.isEmpty
        var corrected = involved
        if !isLast { corrected.effects = involved.effects.filter { $0.link == nil } }
        guard let place else {
            let isDone = try correctInline(body, isReplacing: isReplacing, involved: corrected)
            return isDone && isLast
        }
        let failed = entries[place]
        guard failed.isChangeOfValues, try isCorrection(of: failed, involved.affected) else {
            return false
        }
        let isWhole = isLast || isReplacing || failed.isCreation
        let own = try isWhole ? body : claims(of: [failed]).part(of: body, isClaimed: true)
        guard !own.isEmpty || isReplacing else { return false }
        if !isWhole, let entity = involved.affected {
            corrected.effects = effects(of: own, among: corrected.effects, on: entity)
        }
        try extend(failed, with: own, isReplacing: isReplacing, involved: corrected)
        return isLast
    }

    /// What an update does as far as a request takes it over: of the values those of this part alone.
    private func effects(
        of part: EntityBody,
        among effects: [ChangeEffect],
        on entity: RowReference
    ) -> [ChangeEffect] {
        guard let table = transaction.schema.layout[entity.source] else { return effects }
        let keys = part.bindings.flatMap { foreignKey(of: $0, entity.source) }
        let columns = Set(keys.map { table.columns[$0].name })
        let others = effects.filter { effect in
            guard case .set(table.name, entity.row, let column, _) = effect else { return true }
            return columns.contains(column)
        }
        return others + ChangeRecorder.settings(part, of: entity.row, in: table, transaction.rows)
    }

    private func claims(of entries: some Sequence<QueueEntry>) throws -> ClaimedProperties {
        ClaimedProperties(
            try entries.compactMap { try QueuedBody.read($0, in: transaction.schema) },
            isReplacing: entries.contains {
                $0.isChangeOfValues && !$0.isCreation && $0.method == "PUT"
            }
        )
    }

    /// Merges an update of an entity that a refused request creates inside of another into that request; answers whether it did.
    private func correctInline(
        _ body: EntityBody,
        isReplacing: Bool,
        involved: RequestQueue.Involved
    ) throws -> Bool {
        guard let entity = involved.affected,
            let id = try EffectJournal(connection).creator(of: entity.row),
            let failed = try queue.entry(id), failed.status == .failed,
            try isCorrection(of: failed, entity),
            var whole = try QueuedBody.read(failed, in: transaction.schema)
        else { return false }
        let queued = whole.references
        let place = InlinePlace(transaction, creation: failed)
        let isFound = try place.change(entity.row, in: &whole) {
            merge(body, into: &$0, isReplacing: isReplacing, isCreation: true)
        }
        guard isFound else { return false }
        let text = try transaction.json(whole, queued: queued)
        try replace(failed, method: failed.method, body: text, involved: involved)
        return true
    }

    /// Whether a change may become a part of a refused request: not where it was said to be sent in another way, or where the request was
    /// said to stay as it is.
    private func isCorrection(of failed: QueueEntry, _ entity: RowReference?) throws -> Bool {
        let options = transaction.options
        guard let entity, !failed.flags.contains(.unmodifiable),
            !options.flags.contains(.unmodifiable),
            options.labels.allSatisfy({ failed.labels[$0.key] == $0.value })
        else { return false }
        let group = try transaction.groupName(
            options.transaction,
            affected: entity,
            url: failed.url
        )
        let category = try transaction.groupName(
            options.category,
            affected: entity,
            url: failed.url
        )
        let headers = try transaction.headerLines()
        return (group == nil || group == failed.transaction)
            && (category == nil || category == failed.category)
            && (headers == nil || headers == failed.headers)
    }

    /// Gives a request further values; it waits, again or still, under a new identity.
    func extend(
        _ entry: QueueEntry,
        with body: EntityBody,
        isReplacing: Bool,
        involved: RequestQueue.Involved,
        readingETag: Bool = true
    ) throws {
        let text = try merged(entry, with: body, isReplacing: isReplacing)
        try replace(
            entry,
            method: isReplacing && !entry.isCreation ? "PUT" : entry.method,
            body: text,
            involved: involved,
            readingETag: readingETag
        )
    }

    private func replace(
        _ entry: QueueEntry,
        method: String,
        body text: String,
        involved: RequestQueue.Involved,
        readingETag: Bool = true
    ) throws {
        try connection.run(
            "UPDATE \"$queue\" SET \"body\" = ?2, \"method\" = ?3 WHERE \"id\" = ?1",
            [.integer(entry.id), .text(text), .text(method)]
        )
        transaction.grownByteCount += max(0, text.utf8.count - (entry.body?.utf8.count ?? 0))
        transaction.joined.insert(entry.id)
        try queue.relate(entry.id, involved: involved, isNew: false)
        try QueueEditor(connection, schema: transaction.schema)
            .makePending(entry.id, readingETag: readingETag)
    }

    private func byteCount(_ content: Int64?) throws -> Int {
        guard let content else { return 0 }
        let count = try connection.integer(
            "SELECT \"byteCount\" FROM \"$content\" WHERE \"id\" = ?1",
            [.integer(content)]
        )
        return Int(count ?? 0)
    }

    /// Gives the refused request for a stream the new content; answers whether nothing is left to queue.
    func correctStream(
        _ content: Int64?,
        method: String,
        property: String,
        involved: RequestQueue.Involved
    ) throws -> Bool {
        guard let row = involved.affected?.row else { return false }
        let entries = try queue.entries(forRow: row)
        let refused = entries.first { $0.status == .failed && $0.streamProperty == property }
        // A creation from a stream can get another one, but cannot do without.
        guard let failed = refused, !(failed.isCreation && content == nil),
            try isCorrection(of: failed, involved.affected)
        else { return false }
        // Later changes of values stand in no order with the content.
        guard entries.last(where: { $0.streamProperty == property })?.id == failed.id else {
            return false
        }
        let former = try EffectJournal(connection).contents(of: failed.id)
        try connection.run(
            """
            DELETE FROM "$effect" WHERE "request" = ?1
                AND "kind" = \(EffectJournal.Kind.stream.rawValue)
            """,
            [.integer(failed.id)]
        )
        try connection.run(
            "UPDATE \"$queue\" SET \"stream\" = ?2, \"method\" = ?3 WHERE \"id\" = ?1",
            [
                .integer(failed.id), .init(content),
                .text(failed.isCreation ? failed.method : method),
            ]
        )
        transaction.grownByteCount += try byteCount(content)
        transaction.joined.insert(failed.id)
        try queue.relate(failed.id, involved: involved, isNew: false)
        try StoreStreams(connection).sweep(former)
        try QueueEditor(connection, schema: transaction.schema).makePending(failed.id)
        return true
    }

    /// The body of a request with further values.
    ///
    /// - Parameter known: References in the values that stand in the queue already.
    func merged(
        _ failed: QueueEntry,
        with body: EntityBody,
        isReplacing: Bool,
        known: Set<String> = []
    ) throws -> String {
        guard let text = failed.body,
            var merged = try EntityBodyReader.read(
                Array(text.utf8),
                plan: body.plan,
                in: transaction.schema
            )
        else { return try transaction.json(body, queued: known) }
        let queued = merged.references.union(known)
        merge(body, into: &merged, isReplacing: isReplacing, isCreation: failed.isCreation)
        return try transaction.json(merged, queued: queued)
    }

    /// Gives a body that waits further values.
    func merge(
        _ body: EntityBody,
        into merged: inout EntityBody,
        isReplacing: Bool,
        isCreation: Bool
    ) {
        if isReplacing {
            if isCreation {
                keepFixed(of: &merged)
            } else {
                merged = relations(of: merged, beside: body)
            }
        }
        dropOvertaken(by: body, from: &merged)
        for item in body.values { merged.set(item.value, exact: item.exact, slot: item.slot) }
        let given = body.undeclared.map(\.name)
        let names = Set(given + DynamicTypeMember.forgotten(by: given))
        merged.undeclared.removeAll { names.contains($0.name) }
        merged.undeclared += body.undeclared
        let model = transaction.schema.model
        for binding in body.bindings {
            if !model[binding.navigation].isCollection {
                merged.bindings.removeAll { $0.navigation == binding.navigation }
            }
            merged.bindings.append(binding)
        }
        merged.inline += body.inline
    }

    /// Takes out what says of a relation something else than a later change: a reference beside a newer foreign key, and the reverse.
    private func dropOvertaken(by body: EntityBody, from merged: inout EntityBody) {
        let source = transaction.schema.plans.source(of: body.plan)
        let given = Set(body.values.map(\.slot))
        merged.bindings.removeAll { !foreignKey(of: $0, source).isDisjoint(with: given) }
        let named = body.bindings.reduce(into: Set<Int>()) {
            $0.formUnion(foreignKey(of: $1, source))
        }
        let table = transaction.schema.layout[source]
        merged.values.removeAll { item in
            named.contains(item.slot) && table?.columns[item.slot].keyIndex == nil
        }
    }

    /// The columns that hold the key of what a reference leads to; none where the relation is kept elsewhere.
    private func foreignKey(of binding: EntityBody.Binding, _ source: NavigationSource) -> Set<Int>
    {
        let schema = transaction.schema
        let target = schema.model.target(of: binding.navigation, from: source)
        let relation = schema.layout.relationship(binding.navigation, from: source, to: target)
        guard case .dependent(let pairs) = relation else { return [] }
        return Set(pairs.map(\.here))
    }

    /// What a replacement leaves of an update that waited before it: it does not take back the relations that it does not mention.
    private func relations(of earlier: EntityBody, beside body: EntityBody) -> EntityBody {
        let schema = transaction.schema
        let source = schema.plans.source(of: body.plan)
        var left = EntityBody(plan: body.plan)
        left.control = body.control
        guard schema.model.version.isV4, let table = schema.layout[source] else { return left }
        let foreign = schema.layout.keptForeignKey(of: table)
        left.values = earlier.values.filter { foreign.contains($0.slot) }
        left.bindings = earlier.bindings.filter { binding in
            !foreignKey(of: binding, source).contains(where: body.mentions)
        }
        return left
    }

    /// Leaves of a creation what replacing its values leaves: key and type, what cannot be changed, relations, the entities created along.
    private func keepFixed(of body: inout EntityBody) {
        let (schema, type) = (transaction.schema, body.plan.type)
        let source = schema.plans.source(of: body.plan)
        guard let table = schema.layout[source] else { return }
        let foreign = schema.layout.keptForeignKey(of: table)
        body.values.removeAll { item in
            let column = table.columns[item.slot]
            let property = schema.model.property(column.path[0], of: type)
            return column.keyIndex == nil && !(property?.isImmutable ?? false)
                && !foreign.contains(item.slot)
        }
        body.undeclared = []
        guard !schema.model.version.isV4 else { return }
        body.bindings.removeAll { binding in
            let target = schema.model.target(of: binding.navigation, from: source)
            let relation = schema.layout.relationship(binding.navigation, from: source, to: target)
            return if case .dependent = relation { true } else { false }
        }
    }

    /// Makes room for the deletion of an entity: refused changes of it are of no use any more.
    ///
    /// Where the service has another version they stay, and the deletion waits behind them: it was not made on that version. So do
    /// members of a transaction, which stands or falls as a whole.
    ///
    /// Answers whether nothing is left to delete at the service: it never saw the entity.
    func dropFailed(of entity: RowReference) throws -> Bool {
        let entries = try queue.entries(forRow: entity.row)
        guard let failed = entries.first(where: { $0.status == .failed }),
            try failed.isCreation || !hasOtherVersion(entity), try !hasCompanions(failed)
        else { return false }
        let closure = try [failed.id] + queue.dependents(of: failed.id)
        let own = Set(entries.map(\.id))
        guard closure.allSatisfy(own.contains) else { return false }
        try QueueEditor(connection, schema: transaction.schema).dropAlone([failed.id])
        return failed.isCreation
    }

    private func hasCompanions(_ entry: QueueEntry) throws -> Bool {
        guard let transaction = entry.transaction else { return false }
        return try queue.entries(inTransaction: transaction).count > 1
    }

    private func hasOtherVersion(_ entity: RowReference) throws -> Bool {
        guard let table = transaction.schema.layout[entity.source] else { return false }
        return try RowRebuild(connection, layout: transaction.schema.layout)
            .has(entity.row, in: table.serverName)
    }
}
