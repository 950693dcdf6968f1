package import ODataSQLite
package import StoreRecords
import ODataValues
package import ODataBinding
package import ODataSQL
import ODataModel
package import ODataAnswers
package import ODataTables

/// Local changes inside one write transaction: each is applied to the rows, its base copies are kept, and its request is queued.
package final class StoreTransaction: EntityWriting {
    package let schema: TableSchema
    let connection: SQLiteConnection
    let options: ChangeOptions
    /// The transaction of the last request, where none of its members waits for a refused one: the next need not look at them.
    var openTransaction: String?
    /// Bytes by which requests have grown that waited or were refused before.
    var grownByteCount = 0
    /// What calls of operations do to the store, by the operations' names.
    package var localEffects: [String: LocalEffect] = [:]
    var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    /// Requests of before of which changes have become a part.
    var joined: Set<Int64> = []

    package init(_ connection: SQLiteConnection, schema: TableSchema, options: ChangeOptions) {
        self.connection = connection
        self.schema = schema
        self.options = options
    }

    package func query() throws -> TableQuery {
        try TableQuery(connection, layout: schema.layout)
    }

    /// Returns the number of the newest request; what is queued from now on has a greater one.
    package func newestRequest() throws -> Int64 {
        try connection.integer("SELECT max(\"id\") FROM \"$queue\"") ?? 0
    }

    /// Returns a URL that leads through a request to its entity in terms of the entity; others as they are.
    package func resolved(_ url: String) throws -> String {
        guard AffectedEntityURL.isCandidate(url) else { return url }
        return try AffectedEntityURL.resolved(url, on: connection, in: schema)
    }

    /// Returns the URLs of the requests queued after one, relative to the service root.
    package func queuedURLs(after request: Int64) throws -> [String] {
        var urls: [String] = []
        try connection.forEachRow(
            "SELECT \"url\" FROM \"$queue\" WHERE \"id\" > ?1 ORDER BY \"id\"",
            [.integer(request)]
        ) { urls.append($0.string(0)) }
        return urls
    }

    // MARK: Changes

    package func create(_ body: EntityBody, at path: EntityPath) throws -> RowReference {
        try insert(body, at: path).row
    }

    /// An entity that was created.
    package struct Created {
        package var row: RowReference
        /// What it looks like; nil where it has to be read.
        package var inserted: InsertedRow?
    }

    /// Creates an entity in the set or the collection that a path addresses.
    package func insert(_ body: EntityBody, at path: EntityPath) throws -> Created {
        guard let source = path.finalSource else {
            throw EditError(.invalid, "the path leads to no entity set that the metadata names")
        }
        try refuseBuiltIn(source)
        let body = withoutComputed(body)
        let parent = try parent(of: path)
        let url = try parent.map { try link($0.entity, to: $0.navigation) }
        let recorder = ChangeRecorder(rows, flags: options.flags)
        let created = try editor(recorder).create(body, in: source, through: parent)
        var referred = try referredRows(body) + recorder.insertedRows
        if let parent { referred.append(parent.entity.row) }
        try enqueue(
            "POST",
            url: url ?? schema.layout.model.name(of: source),
            body: json(body),
            affected: created,
            referred: referred,
            recorder: recorder,
            after: deletions(freeing: created),
            link: recorder.links[created.row]
        )
        // What was inserted or related besides may have changed it.
        let isAlone = recorder.effects.count == 1
        return Created(row: created, inserted: isAlone ? recorder.lastInserted : nil)
    }

    /// The entity, and those inline, without the values that the service computes.
    private func withoutComputed(_ body: EntityBody) -> EntityBody {
        var body = body
        if let table = schema.layout[schema.plans.source(of: body.plan)] {
            LocalRules(rows).removeComputed(from: &body, in: table)
        }
        for index in body.inline.indices {
            body.inline[index].entities = body.inline[index].entities.map(withoutComputed)
        }
        return body
    }

    package func update(
        _ body: EntityBody,
        at path: EntityPath,
        isReplacing: Bool,
        precondition: Precondition
    ) throws -> RowReference {
        let entity = try entity(at: path)
        try refuseBuiltIn(entity.source)
        try check(precondition, of: entity)
        guard !isDeep(body, isReplacing: isReplacing) else {
            return try updateDeep(body, of: entity, isReplacing: isReplacing)
        }
        try update(entity, with: body, isReplacing: isReplacing)
        return entity
    }

    /// - Parameter refused: A refused request of the entity that another part of the change has corrected.
    func update(
        _ entity: RowReference,
        with body: EntityBody,
        isReplacing: Bool,
        refused: Int64? = nil
    ) throws {
        var body = body
        try ignoreKeyChange(in: &body, of: entity)
        if let table = schema.layout[entity.source] {
            if let own = try rows.type(of: entity.row, in: table) {
                try EntityRules(layout: schema.layout).checkType(of: body, on: own)
            }
            let rules = LocalRules(rows)
            try rules.checkChange(&body, of: entity.row, in: table)
            if isReplacing { try rules.checkReplaceable(body, row: entity.row, in: table) }
            try refuseTornCollections(in: body, of: entity, table)
        }
        let entries = try RequestQueue(connection).entries(forRow: entity.row)
        if !isReplacing, let parts = try Correction(self).parts(of: body, among: entries) {
            try update(entity, with: parts.correcting, isReplacing: false)
            return try update(
                entity,
                with: parts.following,
                isReplacing: false,
                refused: parts.refused
            )
        }
        let url = try link(entity)
        let etag = try etag(of: entity)
        let recorder = ChangeRecorder(rows, flags: options.flags)
        let referred = try referredRows(body)
        try editor(recorder).update(entity, with: body, isReplacing: isReplacing)
        let involved = try involved(entity, referred: referred, recorder: recorder)
        let isCorrection = try Correction(self).correct(
            with: body,
            isReplacing: isReplacing,
            involved,
            among: entries,
            refused: refused
        )
        if isCorrection { return }
        if try QueueMerge(self).absorb(body, isReplacing: isReplacing, involved: involved) {
            return
        }
        try enqueue(
            isReplacing ? "PUT" : "PATCH",
            url: url,
            body: json(body),
            affected: entity,
            referred: referred,
            recorder: recorder,
            etag: etag
        )
    }

    package func delete(at path: EntityPath, precondition: Precondition) throws {
        let entity = try entity(at: path)
        try refuseBuiltIn(entity.source)
        try LocalRules(rows).checkDeletable(entity.source)
        try check(precondition, of: entity)
        if try GoneDeletion(self).settle(entity) { return }
        if !options.keepsRefused, try Correction(self).dropFailed(of: entity) { return }
        if try QueueMerge(self).cancel(deletionOf: entity) { return }
        let url = try link(entity)
        let etag = try etag(of: entity)
        let recorder = ChangeRecorder(rows, flags: options.flags)
        // Who deletes later what this entity goes with waits for this request, and is taken back with it.
        let owners = try parentRow(of: entity) + owners(of: entity)
        try editor(recorder).delete(entity)
        try enqueue(
            "DELETE",
            url: url,
            body: nil,
            affected: entity,
            referred: owners,
            recorder: recorder,
            etag: etag,
            after: FormerDependents(rows).requests(before: recorder.effects)
        )
    }

    // MARK: Parts

    func editor(_ recorder: ChangeRecorder) -> EntityEditor {
        EntityEditor(rows, journal: recorder, resolve: find)
    }

    func refuseBuiltIn(_ source: NavigationSource) throws {
        if BuiltInSets.contains(source, in: schema.layout.model) {
            throw EditError(.notSupported, "\(schema.model.name(of: source)) can only be read")
        }
    }

    /// The row that contains an entity; none for one of a set.
    private func parentRow(of entity: RowReference) throws -> [Int64] {
        guard let table = schema.layout[entity.source],
            let row = try rows.heldParent(of: entity.row, in: table)
        else { return [] }
        return [row]
    }

    /// Rows whose deletion would take an entity along (`OnDelete` is Cascade).
    private func owners(of entity: RowReference) throws -> [Int64] {
        guard let table = schema.layout[entity.source],
            let type = try rows.type(of: entity.row, in: table)
        else { return [] }
        let (layout, editor) = (schema.layout, editor(ChangeRecorder(rows, flags: [])))
        var found: [Int64] = []
        for declaring in layout.model.lineage(of: type) {
            for index in layout.model[declaring].navigationProperties.indices {
                let id = NavigationPropertyID(type: declaring, index: index)
                guard let partner = layout.partner(of: id),
                    layout.model[partner].onDelete == .cascade
                else { continue }
                found += try editor.related(entity, id: id).map(\.row)
            }
        }
        return found
    }

    /// Deletions that wait and make room for a created entity: its key is the one of an entity deleted here.
    func deletions(freeing created: RowReference) throws -> [Int64] {
        guard let table = schema.layout[created.source], try rows.catalog.exists(table.baseName),
            let key = try rows.key(of: created.row, in: table)
        else { return [] }
        var found: [Int64] = []
        try connection.forEachRow(
            """
            SELECT "request" FROM "$effect" WHERE "kind" = \(EffectJournal.Kind.deleted.rawValue) AND "row" IN
                (SELECT "$id" FROM \(table.baseName.sqlQuoted) WHERE \(table.identityCondition))
            """,
            key + parentRow(of: created).map(Scalar.integer)
        ) { found.append($0.integer(0)) }
        return found
    }

    private func etag(of entity: RowReference) throws -> String? {
        guard let table = schema.layout[entity.source],
            case .text(let etag)? = try rows.value(SystemColumn.etag.sql, of: entity.row, in: table)
        else { return nil }
        return etag
    }

    private func check(_ precondition: Precondition, of entity: RowReference) throws {
        switch precondition {
        case .none, .exists: return
        case .isAbsent:
            throw EditError(.preconditionFailed, "the entity is in the store already")
        case .match(let list):
            guard let table = schema.layout[entity.source],
                let etag = try LocalETag.text(of: entity.row, in: table, rows.connection)
            else {
                throw EditError(.preconditionFailed, "the store knows no ETag of the entity")
            }
            guard list.weaklyContains(text: etag) else {
                throw EditError(.preconditionFailed, "the entity in the store has another ETag")
            }
        case .noneMatch(let list):
            guard let table = schema.layout[entity.source],
                let etag = try LocalETag.text(of: entity.row, in: table, rows.connection),
                list.weaklyContains(text: etag)
            else { return }
            throw EditError(.preconditionFailed, "the entity in the store still has the ETag")
        }
    }

    /// Columns of the key, also of a singleton, which is not found by it.
    private func keySlots(of table: TableLayout) -> [Int] {
        guard table.keyColumns.isEmpty else { return table.keyColumns }
        let paths = schema.model.key(of: table.entityType).map(\.path)
        return table.columns.indices.filter {
            paths.contains(table.columns[$0].path.joined(separator: "/"))
        }
    }

    /// Refuses another key than the entity has, for what a person has written to correct a change.
    package func refuseKeyChange(_ body: EntityBody, of entity: RowReference) throws {
        guard let slot = try changedKeySlots(body, of: entity).first,
            let table = schema.layout[entity.source]
        else { return }
        throw EditError(
            .invalid,
            "the key property \(table.columns[slot].name) cannot be changed"
        )
    }

    /// Takes another key than the entity has out of an update, which has to ignore it (OData 4.01 Part 1 § 11.4.3).
    private func ignoreKeyChange(in body: inout EntityBody, of entity: RowReference) throws {
        let changed = try changedKeySlots(body, of: entity)
        if !changed.isEmpty { body.values.removeAll { changed.contains($0.slot) } }
    }

    /// The columns of the key to which a body gives another value.
    private func changedKeySlots(_ body: EntityBody, of entity: RowReference) throws -> [Int] {
        guard let table = schema.layout[entity.source] else { return [] }
        let given = keySlots(of: table).filter(body.mentions)
        guard !given.isEmpty, let values = try rows.values(of: entity.row, in: table) else {
            return []
        }
        return given.filter { slot in
            // Answers need not say the key of a singleton.
            let isKnown =
                values[slot] != .null
                && !UnknownValue.isUnknown(values[slot], in: table.columns[slot])
            return body.value(of: slot) != values[slot] && (isKnown || !table.keyColumns.isEmpty)
        }
    }
}
