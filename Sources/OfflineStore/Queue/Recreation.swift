import ODataSQLite
import ODataSQL
import StoreRecords
import StoreUpload
import ODataValues
import ODataModel
import ODataAnswers
import ODataTables

/// The creation of an entity anew, with its local values and with what it contains, where the service has deleted it.
struct Recreation {
    private let editor: QueueEditor
    private let entity: ChangedEntity
    private var connection: SQLiteConnection { editor.connection }
    private var schema: TableSchema { editor.schema }
    private var table: TableLayout { entity.table }
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    init(_ editor: QueueEditor, of entity: ChangedEntity) {
        self.editor = editor
        self.entity = entity
    }

    /// Makes the first update of the entity its creation; what else waits on the entity, or on what it contains, waits for it.
    ///
    /// - Throws: ``StoreError`` where the entity cannot be created from its values alone.
    func queue(_ requests: [QueueEntry]) throws {
        guard let type = try rows.type(of: entity.row, in: table) else {
            throw StoreError(
                .wrongState,
                "the entity is deleted here too: let the service's side stand"
            )
        }
        if case .singleton = entity.source { throw refusal("a singleton cannot be created") }
        guard !schema.model.hasStream(type) else {
            throw refusal("a media entity is created from its stream")
        }
        try checkContainer()
        let updates = requests.filter { $0.row == entity.row && $0.isChangeOfValues }
        let contained = try ContainedRecreation(editor, of: entity.row)
        try contained.check()
        let url = try self.url()
        let carrier = try updates.first ?? newRequest(url)
        var body = try self.body(type, updates: updates, carrier: carrier)
        body.inline = try contained.inline(of: entity.row)
        try awaitCreations(type, by: carrier)
        for other in updates.dropFirst() { try replace(other, by: carrier) }
        try becomeNew()
        try contained.becomeNew(with: carrier)
        try write(body, url: url, carrier: carrier)
        try order(
            requests.filter { item in !updates.contains { $0.id == item.id } },
            after: carrier
        )
        try nameByValue(besides: carrier)
        for row in [entity.row] + contained.rows { try orderNaming(row, after: carrier) }
        try contained.order(after: carrier)
        for request in requests {
            guard let entry = try editor.queue.entry(request.id),
                [.failed, .unknownOutcome].contains(entry.status)
            else { continue }
            try editor.makePending(entry.id)
        }
        try editor.rebuild.updateState(of: entity.row, table)
    }

    private func refusal(_ reason: String) -> StoreError {
        StoreError(
            .wrongState,
            "the service has deleted the entity, and it cannot be created anew: \(reason); let the service's side stand"
        )
    }

    /// What stands below a deleted entity cannot be created before that.
    private func checkContainer() throws {
        let containers = try ContainedRows(connection, layout: schema.layout).containers(
            of: entity.row
        )
        guard
            let gone = try containers.last(where: {
                try GoneMarks(editor.connection).contains($0.row)
            })
        else {
            return
        }
        let link = try EntityLink(rows, includesDeleted: true).link(gone) ?? "that entity"
        throw StoreError(
            .wrongState,
            "the service has deleted what contains the entity too: resolve the conflict of \(link), whose creation brings what it contains"
        )
    }

    // MARK: The request

    /// A request for an entity that is not changed itself: what it contains is.
    private func newRequest(_ url: String) throws -> QueueEntry {
        guard try RowCoverage(connection, layout: schema.layout).holdsChanges(entity.row) else {
            throw refusal("no value of it is changed here")
        }
        let entry = QueueEntry(
            id: 0,
            status: .pending,
            method: "POST",
            url: url,
            source: schema.layout.model.name(of: entity.source),
            row: entity.row,
            flags: [],
            dependsOn: []
        )
        let reference = RowReference(source: entity.source, row: entity.row)
        var involved = RequestQueue.Involved(affected: reference, referred: [])
        involved.effects = [.inserted(table: table.name, row: entity.row)]
        return try editor.entry(editor.queue.add(entry, involved: involved).id)
    }

    /// The set of the entity; of a contained one the collection that it was in.
    private func url() throws -> String {
        guard case .contained(let id) = entity.source else {
            return schema.layout.model.name(of: entity.source)
        }
        let link = try EntityLink(rows).link(RowReference(source: entity.source, row: entity.row))
        guard let link, link.hasSuffix(")"),
            let end = link.ranges(of: "/" + schema.model[id].name + "(").last
        else { throw refusal("its parent is not known") }
        return link[..<end.lowerBound] + "/" + schema.model[id].name
    }

    /// All values that are known and that a client can set.
    private func body(
        _ type: StructuredTypeID,
        updates: [QueueEntry],
        carrier: QueueEntry
    ) throws -> EntityBody {
        guard
            var body = try RecreatedValues(connection, schema: schema).body(
                of: RowReference(source: entity.source, row: entity.row),
                type,
                named: table.name,
                isLinked: { other in
                    try editor.journal.creator(of: other.row).map {
                        try !waits($0, for: carrier)
                    } ?? true
                }
            )
        else { throw refusal("its type is not known") }
        body.bindings = try bindings(over: body.bindings, of: updates)
        return body
    }

    /// The links of the entity and the references of all updates, those of a property together; of a property with one value the last.
    private func bindings(over links: [EntityBody.Binding], of updates: [QueueEntry]) throws
        -> [EntityBody.Binding]
    {
        var found = links
        for binding in try updates.flatMap({ try QueuedBody.read($0, in: schema)?.bindings ?? [] })
        {
            let isCollection = schema.model[binding.navigation].isCollection
            found.removeAll {
                $0.navigation == binding.navigation
                    && (!isCollection || $0.reference == binding.reference)
            }
            let last = found.lastIndex { $0.navigation == binding.navigation }
            found.insert(binding, at: last.map { $0 + 1 } ?? found.endIndex)
        }
        return found
    }

    /// What the entity is linked with and is created here too goes first.
    private func awaitCreations(_ type: StructuredTypeID, by carrier: QueueEntry) throws {
        let reference = RowReference(source: entity.source, row: entity.row)
        for (_, other) in try RecreatedValues(connection, schema: schema).links(of: reference, type)
        {
            guard let creator = try editor.journal.creator(of: other.row), creator != carrier.id,
                try !waits(creator, for: carrier)
            else { continue }
            for (statement, id) in [
                ("INSERT OR IGNORE INTO \"$refers\" VALUES (?1, ?2)", other.row),
                ("INSERT OR IGNORE INTO \"$depends\" VALUES (?1, ?2)", creator),
            ] { try connection.run(statement, [.integer(carrier.id), .integer(id)]) }
        }
    }

    private func waits(_ request: Int64, for carrier: QueueEntry) throws -> Bool {
        try editor.queue.dependents(of: carrier.id).contains(request)
    }

    /// The members of a JSON object in a system column: exact texts as they are, dynamic values as JSON.
    private func write(_ body: EntityBody, url: String, carrier: QueueEntry) throws {
        let transaction = StoreTransaction(connection, schema: schema, options: ChangeOptions())
        let text = try transaction.json(body, queued: Set(body.bindings.map(\.reference)))
        let flags = carrier.flags.subtracting(.upsert).union(.insertsOwnRow)
        let headers = (carrier.headers ?? "").split(separator: "\n").filter {
            !$0.lowercased().hasPrefix("if-match:")
        }
        try connection.run(
            """
            UPDATE "$queue" SET "method" = 'POST', "url" = ?2, "body" = ?3, "flags" = ?4, "etag" = NULL,
                "headers" = ?5 WHERE "id" = ?1
            """,
            [
                .integer(carrier.id), .text(url), .text(text), .integer(flags.rawValue),
                Scalar(headers.isEmpty ? nil : headers.joined(separator: "\n")),
            ]
        )
        try connection.run(
            """
            DELETE FROM "$effect" WHERE "request" = ?1 AND "row" = ?2
                AND "kind" = \(EffectJournal.Kind.set.rawValue)
            """,
            [.integer(carrier.id), .integer(entity.row)]
        )
    }

    /// Takes out an update whose values the creation has; the links that it made, and the foreign keys that it set in other
    /// entities, stay with the creation.
    private func replace(_ other: QueueEntry, by carrier: QueueEntry) throws {
        let pair: [Scalar] = [.integer(other.id), .integer(carrier.id)]
        for statement in [
            "UPDATE OR IGNORE \"$depends\" SET \"on\" = ?2 WHERE \"on\" = ?1",
            "UPDATE OR IGNORE \"$refers\" SET \"request\" = ?2 WHERE \"request\" = ?1",
            """
            UPDATE "$effect" SET "request" = ?2
            WHERE "request" = ?1 AND ("target" IS NOT NULL OR "row" <> \(entity.row))
            """,
        ] { try connection.run(statement, pair) }
        try editor.queue.remove(other.id)
        try connection.run("DELETE FROM \"$depends\" WHERE \"request\" = \"on\"", [])
    }

    // MARK: The row

    /// The row is one that was created here.
    private func becomeNew() throws {
        try editor.rebuild.dropCopies(entity.row, in: table)
        try RecreatedValues(connection, schema: schema).markNew(
            entity.row,
            in: table,
            named: [table.name]
        )
        try ChangeRecorder(rows, flags: []).keepBase(of: entity.row, in: table)
    }

    /// Changes that have given other entities its key by value name it from now on: they follow the key that it gets.
    private func nameByValue(besides carrier: QueueEntry) throws {
        let (journal, principals) = (EffectJournal(connection), CreatedPrincipals(rows))
        for row in try RelatedRows(rows).dependents(of: entity.row, table) {
            for id in try journal.requests(on: row) where id != carrier.id {
                let named = try principals.rows(named: journal.effects(of: id))
                guard named.contains(entity.row) else { continue }
                try connection.run(
                    "INSERT OR IGNORE INTO \"$refers\" VALUES (?1, ?2)",
                    [.integer(id), .integer(entity.row)]
                )
            }
        }
    }

    /// What names the entity waits for its creation too, such as the creation of what it contains.
    private func orderNaming(_ row: Int64, after carrier: QueueEntry) throws {
        var naming: [Int64] = []
        try connection.forEachRow(
            "SELECT \"request\" FROM \"$refers\" WHERE \"row\" = ?1 AND \"request\" <> ?2",
            [.integer(row), .integer(carrier.id)]
        ) { naming.append($0.integer(0)) }
        // What the creation itself waits for cannot wait for it.
        for id in naming where try !editor.queue.dependents(of: id).contains(carrier.id) {
            try connection.run(
                "INSERT OR IGNORE INTO \"$depends\" VALUES (?2, ?1)",
                [.integer(carrier.id), .integer(id)]
            )
        }
    }

    /// What else waits on the entity waits for its creation.
    private func order(_ others: [QueueEntry], after carrier: QueueEntry) throws {
        for other in others {
            try connection.run(
                "DELETE FROM \"$depends\" WHERE \"request\" = ?1 AND \"on\" = ?2",
                [.integer(carrier.id), .integer(other.id)]
            )
            try connection.run(
                "INSERT OR IGNORE INTO \"$depends\" VALUES (?2, ?1)",
                [.integer(carrier.id), .integer(other.id)]
            )
        }
    }
}
