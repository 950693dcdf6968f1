package import ODataSQLite
package import StoreRecords
import ODataSQL
import ODataValues
import ODataModel
import ODataPayload
import ODataAnswers
package import ODataTables

/// Writes down what became of sent requests: queue entry, row and copies in the caller's one transaction.
package struct UploadRecorder {
    let connection: SQLiteConnection
    let schema: TableSchema
    private let appliesResponses: Bool
    private var queue: RequestQueue { RequestQueue(connection) }
    var rows: RowEditor { RowEditor(connection, layout: schema.layout) }
    var model: EdmModel { schema.model }
    var journal: EffectJournal { EffectJournal(connection) }
    var rebuild: RowRebuild { RowRebuild(connection, layout: schema.layout) }
    private var related: RelatedRows { RelatedRows(rows) }

    /// What a successful answer says.
    package struct Success: Sendable {
        /// The entity in the answer's body, where there is one.
        package var representation: EntityBody?
        /// `ETag` of the answer.
        package var etag: String?
        /// `OData-EntityId`: what the service names the entity by.
        package var entityID: String?
        /// `Location`: where the entity is.
        package var location: String?

        package init(
            representation: EntityBody? = nil,
            etag: String? = nil,
            entityID: String? = nil,
            location: String? = nil
        ) {
            self.representation = representation
            self.etag = etag
            self.entityID = entityID
            self.location = location
        }
    }

    /// - Parameter appliesResponses: Whether values that the service computed are taken from its answers.
    package init(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        appliesResponses: Bool = false
    ) {
        self.connection = connection
        self.schema = schema
        self.appliesResponses = appliesResponses
    }

    // MARK: Done

    /// Records that a request was carried out: what it did is the service's now.
    package func succeed(_ entry: QueueEntry, success: Success) throws {
        let effects = try journal.effects(of: entry.id)
        let isAnswered = entry.isChangeOfValues || entry.isCreation
        if isAnswered, let (row, table) = schema.row(of: entry) {
            if entry.isCreation {
                try takeKey(row, in: table, of: entry, success: success)
                try takeAddress(row, in: table, success: success)
                var inline = InlineIdentities(
                    connection,
                    schema: schema,
                    effects: effects,
                    besides: row
                )
                try inline.take(
                    success.representation,
                    of: RowReference(source: table.source, row: row)
                )
            }
            try takeETag(of: row, in: table, success: success, isCreated: entry.isCreation)
        }
        try StaleRows(rows).note(effects, besides: isAnswered ? entry.row : nil)
        try CalledRows(connection, schema: schema).note(entry)
        try InlineCreations(connection, schema: schema).note(
            effects,
            of: entry,
            answer: success.representation
        )
        // Keys that have just become known stand in the effects too.
        let known = try journal.effects(of: entry.id)
        if entry.flags.contains(.removeAfterUpload) { try markForRemoval(entry, known) }
        try takeStreamETag(entry, success: success)
        let moved =
            try entry.method == "DELETE" && !entry.isLinkChange
            ? entry.row.map {
                try MovedChildren(connection, schema: schema).survivors(of: known, deleting: $0)
            }
                ?? [] : []
        // Swept after the folding: until then nothing may name a content that the service has by now.
        let contents = try queue.withdraw(entry.id)
        for effect in known where !effect.isAbout(moved) { try fold(effect, of: entry) }
        try rebuild.rebuild(
            moved,
            links: Set(known.filter { $0.isAbout(moved) }.compactMap(\.link))
        )
        try StoreStreams(connection).sweep(contents)
        for item in touched(by: entry, effects) {
            guard let table = schema.layout.table(named: item.table) else { continue }
            try markUnseen(item.row, in: table)
            // Of what was made from a stream nothing was said here: its values are the service's, and no other client's.
            let isAsked = appliesResponses && entry.isChangeOfValues || entry.isMediaCreation
            if isAsked, item.row == entry.row, let body = success.representation {
                try apply(body, to: item.row, in: table)
                // What the answer has said of the stream stays with the row that was built anew.
                if entry.isMediaCreation {
                    try StreamTable(connection)
                        .writeControl(of: item.row, in: table, property: "")
                }
            }
            try settle(item.row, in: table, isConfirmed: isAnswered && item.row == entry.row)
        }
        try removeFinished()
        try AnswerCounter.advance(connection)
    }

    /// Every row that a request has changed, and the one that it is about.
    private func touched(by entry: QueueEntry, _ effects: [ChangeEffect]) -> Set<ChangedRow> {
        var touched = Set(effects.compactMap(\.row))
        if let (row, table) = schema.row(of: entry) {
            touched.insert(ChangedRow(table: table.name, row: row))
        }
        return touched
    }

    /// Takes over the new ETag.
    ///
    /// An answer may lack it where the service changed more than the request said (OData 4.01 Part 1 § 8.3.1): then the one that is
    /// stored is stale, and has to be read before the next update.
    private func takeETag(
        of row: Int64,
        in table: TableLayout,
        success: Success,
        isCreated: Bool
    ) throws {
        var etag = Scalar(success.etag ?? success.representation?.control[.etag])
        if etag == .null, try isCreated ? usesETags(table) : hasETag(row, in: table) {
            etag = .text(ETagState.stale)
        }
        for name in [table.name, table.baseName, table.serverName]
        where try rows.catalog.exists(name) {
            try connection.run(
                "UPDATE \(name.sqlQuoted) SET \"$etag\" = ?2 WHERE \"$id\" = ?1",
                [.integer(row), etag]
            )
        }
    }

    private func hasETag(_ row: Int64, in table: TableLayout) throws -> Bool {
        for name in [table.baseName, table.name] where try rows.catalog.exists(name) {
            let etag = try connection.firstRow(
                "SELECT \"$etag\" FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            ) { $0.optionalString(0) }
            if let etag { return etag != nil }
        }
        return false
    }

    /// Whether the service gives entities of a set ETags: its metadata says so, or some of the first and last rows have one.
    private func usesETags(_ table: TableLayout) throws -> Bool {
        let sample = 32
        if table.columns.contains(where: schema.isConcurrencyToken) { return true }
        return try connection.integer(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM (SELECT "$etag" AS e FROM \(table.sql) ORDER BY "$id" LIMIT ?1)
                WHERE e IS NOT NULL)
            OR EXISTS (SELECT 1 FROM (SELECT "$etag" AS e FROM \(table.sql) ORDER BY "$id" DESC LIMIT ?1)
                WHERE e IS NOT NULL)
            """,
            [.integer(Int64(sample))]
        ) != nil
    }

    /// The entity leaves the store with those that were created inline with it; contained ones go with their parents anyway.
    private func markForRemoval(_ entry: QueueEntry, _ effects: [ChangeEffect]) throws {
        guard let row = entry.row, let source = entry.source else { return }
        var created = [(row, source)]
        for case .inserted(let name, let other) in effects where other != row {
            guard let table = schema.layout.table(named: name), !table.isContained else { continue }
            created.append((other, schema.layout.model.name(of: table.source)))
        }
        for (row, source) in created {
            try connection.run(
                "INSERT OR IGNORE INTO \"$remove\" VALUES (?1, ?2)",
                [.integer(row), .text(source)]
            )
        }
    }

    /// Takes one effect of a request that was carried out into the copies of the service's version.
    ///
    /// An entity created inline has no answer of its own: the next download brings it with its key.
    private func fold(_ effect: ChangeEffect, of entry: QueueEntry) throws {
        switch effect {
        case .inserted(let name, let row):
            guard let table = schema.layout.table(named: name) else { return }
            if try rows.catalog.exists(table.serverName) {
                // What had the same key before is gone, or the service would have refused it.
                try connection.run(
                    "DELETE FROM \(table.serverName.sqlQuoted) WHERE \"$id\" = ?1",
                    [.integer(row)]
                )
            }
            for copy in [table.name, table.baseName] where try rows.catalog.exists(copy) {
                try connection.run(
                    """
                    UPDATE \(copy.sqlQuoted)
                    SET "$state" = "$state" & ~\(RowState.created.rawValue) | \(RowState.local.rawValue)
                    WHERE "$id" = ?1
                    """,
                    [.integer(row)]
                )
            }
        case .set(let name, let row, let column, _):
            guard let table = schema.layout.table(named: name) else { return }
            // A deletion takes a foreign key from what still has it: others may have given that another parent.
            let isMoved =
                try entry.method == "DELETE" && entry.row != row
                && !isSame(column, of: row, in: table)
            try OrphanedRows.note(related.principals(of: row, table, by: column), on: connection)
            let copies = isMoved ? [table.baseName] : [table.baseName, table.serverName]
            for copy in copies where try rows.catalog.exists(copy) {
                try rebuild.apply([effect], to: row, in: table, named: copy)
            }
        case .stream(let name, let row, let property, let content):
            guard let table = schema.layout.table(named: name) else { return }
            try StoreStreams(connection).fold(row, property: property, content: content, in: table)
        case .deleted(let name, let row):
            guard let table = schema.layout.table(named: name) else { return }
            let dependents = try related.dependents(of: row, table)
            let others = try related.others(of: row, table)
            try OrphanedRows.note(others + dependents, on: connection)
            try RelatedWork(rows).noteDeletion(of: row, in: table, others: others)
            // The service may have taken the foreign keys away, without a word about it in the metadata.
            try CalledRows(connection, schema: schema).note(Set(dependents))
            if row != entry.row { try CascadedRows(connection).note(row, in: table) }
            try rebuild.dropCopies(row, in: table)
            try rows.removeLinks(of: row)
            try journal.remove(row: row)
            try MemberRows(connection).remove(row: row)
            try EntityAddresses(connection).remove(row: row)
            try connection.run("DELETE FROM \"$local\" WHERE \"row\" = ?1", [.integer(row)])
        case .link(let link, let isAdded):
            if !isAdded { try OrphanedRows.note([link.source, link.target], on: connection) }
            try SentLinks(connection).note(link)
            if try journal.effects(on: link).isEmpty {
                try journal.removeBase(of: link)
            } else {
                try journal.setBase(of: link, isThere: isAdded)
            }
        }
    }

    /// Whether the service's newer copy of a row has the value that the change was made on.
    private func isSame(_ column: String, of row: Int64, in table: TableLayout) throws -> Bool {
        guard try rebuild.has(row, in: table.serverName), try rebuild.has(row, in: table.baseName)
        else { return true }
        return try connection.integer(
            """
            SELECT 1 FROM \(table.baseName.sqlQuoted) b JOIN \(table.serverName.sqlQuoted) s ON s."$id" = b."$id"
            WHERE b."$id" = ?1 AND s.\(column.sqlQuoted) IS b.\(column.sqlQuoted)
            """,
            [.integer(row)]
        ) != nil
    }

    /// Changed here, and the result not downloaded yet: that stays true when later changes are taken back.
    private func markUnseen(_ row: Int64, in table: TableLayout) throws {
        try UnseenRows(connection: connection, catalog: rows.catalog).note(row, in: table)
        for copy in [table.baseName, table.serverName] where try rows.catalog.exists(copy) {
            try connection.run(
                """
                UPDATE \(copy.sqlQuoted) SET "$state" = "$state" | \(RowState.local.rawValue)
                WHERE "$id" = ?1
                """,
                [.integer(row)]
            )
        }
    }

    /// A row without further requests is as the service has it: its copies go.
    ///
    /// A copy that came while the change waited is newer than the row, and has the change in it by now.
    ///
    /// - Parameter isConfirmed: Whether the answer says that the service has the entity.
    private func settle(_ row: Int64, in table: TableLayout, isConfirmed: Bool) throws {
        if try journal.requests(on: row).isEmpty {
            if try !isConfirmed && GoneMarks(connection).contains(row) {
                return try rebuild.remove(row, in: table)
            }
            if try rebuild.has(row, in: table.serverName), try rebuild.has(row, in: table.name) {
                try rebuild.copyServer(row, in: table, to: table.name)
            }
            try rebuild.dropCopies(row, in: table)
        }
        try rebuild.updateState(of: row, table)
    }

    // MARK: Removal after upload

    /// Removes uploaded entities that were to go, once nothing in queue or archive refers to them.
    private func removeFinished() throws {
        var finished: [(row: Int64, source: String)] = []
        try connection.forEachRow(
            """
            SELECT "row", "source" FROM "$remove" r
            WHERE NOT EXISTS (SELECT 1 FROM "$refers" f WHERE f."row" = r."row")
            """
        ) { finished.append(($0.integer(0), $0.string(1))) }
        for item in finished {
            if let source = schema.source(named: item.source), let table = schema.layout[source],
                try !isHeld(item.row, in: table)
            {
                try RowCoverage(connection, layout: schema.layout).remove(item.row, in: table)
            }
            try connection.run("DELETE FROM \"$remove\" WHERE \"row\" = ?1", [.integer(item.row)])
        }
    }

    /// Whether a download has brought a row since: its query would not bring it again with the changes that it asks for.
    private func isHeld(_ row: Int64, in table: TableLayout) throws -> Bool {
        guard
            case .integer(let queries)? = try rows.value(
                SystemColumn.queries.sql,
                of: row,
                in: table
            )
        else { return false }
        return queries != 0
    }

    // MARK: Refused

    /// Records that a request was refused: it goes to the archive, what depends on it is parked.
    package func fail(_ entry: QueueEntry, failure: QueueEntry.Failure) throws {
        try queue.fail(entry.id, failure: failure)
        for item in touched(by: entry, try journal.effects(of: entry.id)) {
            guard let table = schema.layout.table(named: item.table) else { continue }
            try rebuild.updateState(of: item.row, table)
        }
    }

    /// Keeps the service's version of an entity whose change met a conflict.
    package func keepServerCopy(_ body: EntityBody, etag: String?, for entry: QueueEntry) throws {
        guard let (row, table) = schema.row(of: entry),
            try !entry.isCreation || !isDeletedHere(body, in: table, besides: row)
        else { return }
        try keepServerCopy(body, etag: etag, of: row, in: table)
    }

    /// Whether what the service shows under the key of a creation is what waits to be deleted before it.
    private func isDeletedHere(_ body: EntityBody, in table: TableLayout, besides row: Int64) throws
        -> Bool
    {
        let key = table.keyColumns.map { (table.columns[$0], body.value(of: $0) ?? .null) }
        return try rows.heldRows(in: table, having: key).contains { other in
            try other != row && rows.holder(of: other, in: table) == table.baseName
        }
    }

    /// Whether a body has the key of another entity that is held here: a service that answers so has said nothing of the row.
    private func showsAnother(_ body: EntityBody, than row: Int64, in table: TableLayout) throws
        -> Bool
    {
        let key = table.keyColumns.compactMap { body.value(of: $0) }
        guard key.count == table.keyColumns.count,
            let own = try rows.heldKey(of: row, in: table), own != key
        else { return false }
        let wanted = zip(table.keyColumns, key).map { (table.columns[$0], $1) }
        return try rows.heldRows(in: table, having: wanted).contains { $0 != row }
    }

    func keepServerCopy(
        _ body: EntityBody,
        etag: String?,
        of row: Int64,
        in table: TableLayout
    ) throws {
        guard try !showsAnother(body, than: row, in: table) else { return }
        try rows.catalog.ensureCopies(table.serverName, of: table)
        try connection.run(
            "DELETE FROM \(table.serverName.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        )
        try rows.insert(
            body,
            as: row,
            into: table,
            absent: .unknown,
            system: SystemValues(etag: Scalar(etag ?? body.control[.etag])),
            named: table.serverName
        )
        try rebuild.updateState(of: row, table)
    }
}
