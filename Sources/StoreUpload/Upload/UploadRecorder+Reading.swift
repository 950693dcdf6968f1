package import StoreRecords
import ODataSQL
import ODataSQLite
import ODataValues
import ODataModel
import ODataPayload
import ODataAnswers
package import ODataTables

/// What the engine learns by reading an entity whose change waits, or was sent.
extension UploadRecorder {
    /// How what the service has of an entity stands to a request that changes it.
    ///
    /// - Parameters:
    ///   - mayBeOwnWork: Whether an earlier change from here may have moved values that it did not name.
    ///   - statesNoETag: Whether the service states no ETag of the entity: then the last write wins, except over what was seen here.
    package func standing(
        of body: EntityBody,
        for entry: QueueEntry,
        mayBeOwnWork: Bool = false,
        statesNoETag: Bool = false
    ) throws -> ServerStanding {
        if try isBase(body, of: entry, overUnseen: statesNoETag) { return .base }
        if try isCallsWork(body, of: entry, mayBeOwnWork: mayBeOwnWork) { return .base }
        return try isAsSent(body, of: entry) && leavesLaterAlone(body, than: entry)
            ? .asSent : .other
    }

    /// Whether others have left alone what the other waiting changes of the entity write over: they get the ETag that was read.
    private func leavesLaterAlone(_ body: EntityBody, than entry: QueueEntry) throws -> Bool {
        guard let (row, table) = schema.row(of: entry), try rows.catalog.exists(table.baseName),
            let base = try StoredValues(of: row, in: table, named: table.baseName, rows)
        else { return true }
        let queue = RequestQueue(connection)
        let later = try journal.requests(on: row).filter { $0 != entry.id }
            .compactMap { try queue.entry($0) }
        let own = Set(try self.body(of: entry)?.values.map(\.slot) ?? [])
        let written =
            later.allSatisfy { $0.method == "PATCH" }
            ? try writtenSlots(of: row, table) : Set(table.columns.indices)
        let others = later.isEmpty ? [] : written.subtracting(own)
        guard try others.isEmpty || base.hasSameType(as: body),
            !others.contains(where: { base.isMissing($0, in: body) && !isComputed($0, in: table) })
        else { return false }
        return body.values.allSatisfy { item in
            !others.contains(item.slot) || base.isSame(item) || base.isUnknown(item.slot)
                || isComputed(item.slot, in: table)
        }
    }

    private func isComputed(_ slot: Int, in table: TableLayout) -> Bool {
        schema.isComputed(table.columns[slot])
    }

    /// Whether a call, or a change from here of the entity or of a related one, may have made the difference, and an update writes over
    /// nothing of it.
    private func isCallsWork(
        _ body: EntityBody,
        of entry: QueueEntry,
        mayBeOwnWork: Bool
    ) throws -> Bool {
        guard entry.method == "PATCH", let (row, table) = schema.row(of: entry),
            try CalledRows(connection, schema: schema).contains(row)
                || mayBeOwnWork && wasChangedFromHere(row, in: table)
                || isMovedWithOthers(row, in: table),
            let sent = try self.body(of: entry)
        else { return false }
        // Other waiting changes of the entity get the ETag too.
        let written = Set(sent.values.map(\.slot)).union(try writtenSlots(of: row, table))
        return try isBase(body.showing(only: written), of: row, in: table, writing: written)
    }

    /// Whether the service has taken a change of a row that no download has brought back, and none has brought a newer version.
    private func wasChangedFromHere(_ row: Int64, in table: TableLayout) throws -> Bool {
        let unseen = UnseenRows(connection: connection, catalog: rows.catalog)
        return try unseen.contains(row) && !rebuild.has(row, in: table.serverName)
    }

    /// The same for a change of an entity that a row is related to.
    private func isMovedWithOthers(_ row: Int64, in table: TableLayout) throws -> Bool {
        try RelatedWork(rows).concerns(row, in: table) && !rebuild.has(row, in: table.serverName)
    }

    /// Whether the service has, in all that an update writes, what the update was made on.
    package func isBaseWritten(by entry: QueueEntry, _ body: EntityBody) throws -> Bool {
        guard entry.method == "PATCH", let (row, table) = schema.row(of: entry),
            let sent = try self.body(of: entry)
        else { return false }
        let written = Set(sent.values.map(\.slot))
        return try isBase(body.showing(only: written), of: row, in: table, writing: written)
    }

    /// Whether what the service has is the copy that the waiting changes were made on.
    ///
    /// Values that the service computes are left out: they may have moved with an earlier change from here. So are the values that
    /// the service gave an entity created here, that no download has brought yet, as far as the request writes over none of them.
    /// An entity of another type is another one, and a written value that the service does not show any more has changed.
    ///
    /// - Parameter overUnseen: Whether a written value that was never seen here may be any.
    package func isBase(
        _ body: EntityBody,
        of entry: QueueEntry,
        overUnseen: Bool = false
    ) throws -> Bool {
        guard let (row, table) = schema.row(of: entry) else { return false }
        let written = Set(try self.body(of: entry)?.values.map(\.slot) ?? [])
        // The other waiting changes of the entity get the ETag that is read for this one.
        let later = try writtenSlots(of: row, table)
        return try isBase(
            body,
            of: row,
            in: table,
            writing: written.union(later),
            overUnseen: overUnseen
        )
    }

    /// The same of a row.
    ///
    /// - Parameters:
    ///   - written: Slots that the waiting changes write.
    ///   - overUnseen: Whether a written value that was never seen here may be any.
    func isBase(
        _ body: EntityBody,
        of row: Int64,
        in table: TableLayout,
        writing written: Set<Int>,
        overUnseen: Bool = false
    ) throws -> Bool {
        guard try rows.catalog.exists(table.baseName),
            let base = try StoredValues(of: row, in: table, named: table.baseName, rows)
        else { return false }
        return try base.hasSameType(as: body) && base.hasSameUndeclared(as: body)
            && !written.contains { base.isMissing($0, in: body) && !isComputed($0, in: table) }
            && body.values.allSatisfy { item in
                try base.isSame(item) || isComputed(item.slot, in: table)
                    || base.isUnknown(item.slot) && (overUnseen || !written.contains(item.slot))
                    || isReleased(item, of: row, in: table)
            }
    }

    /// Whether a foreign key is null since the entity that it named was deleted from here (OData 4.01 Part 1 § 11.4.5).
    private func isReleased(_ item: EntityBody.SlotValue, of row: Int64, in table: TableLayout)
        throws -> Bool
    {
        guard item.value == .null,
            try CalledRows(connection, schema: schema).contains(row),
            let values = try rows.values(of: row, in: table, named: table.baseName)
        else { return false }
        return try schema.layout.principals(of: table.source).contains { relation in
            try relation.pairs.contains { $0.here == item.slot }
                && rows.heldPrincipals(relation, of: values).isEmpty
        }
    }

    /// Whether every value that was sent is what the service has now; false where none was: a read does not show links.
    ///
    /// Values that stay what they were show nothing of a link that was sent with them.
    package func isAsSent(_ body: EntityBody, of entry: QueueEntry) throws -> Bool {
        guard let sent = try self.body(of: entry),
            !(sent.values.isEmpty && sent.undeclared.isEmpty),
            let (_, table) = schema.row(of: entry)
        else { return false }
        let hasLinks = !sent.bindings.isEmpty || !sent.inline.isEmpty
        if hasLinks, try !entry.isCreation && isBase(body, of: entry) { return false }
        return shows(sent, in: body, of: table)
    }

    /// Whether every value that was sent is what the service has now, for an update that sends references besides.
    ///
    /// The references have to be looked at: a read of the entity does not show them. False where others than references were sent.
    package func isAsSentBesidesBindings(_ body: EntityBody, of entry: QueueEntry) throws -> Bool {
        guard entry.method == "PATCH", let sent = try self.body(of: entry),
            !sent.bindings.isEmpty, sent.inline.isEmpty,
            let (_, table) = schema.row(of: entry)
        else { return false }
        return shows(sent, in: body, of: table)
    }

    /// Whether a body has all values of another one.
    private func shows(_ sent: EntityBody, in body: EntityBody, of table: TableLayout) -> Bool {
        UndeclaredMembers.shows(sent, in: body)
            && sent.values.allSatisfy { item in
                guard let now = body.values.last(where: { $0.slot == item.slot }) else {
                    return false
                }
                return ValueComparison(column: table.columns[item.slot], model: model)
                    .isSame(item, now)
            }
    }

    /// Whether a request changes nothing but values that a read of the entity shows.
    package func changesOnlyValues(_ entry: QueueEntry) throws -> Bool {
        guard entry.isChangeOfValues, entry.method == "PATCH", let sent = try body(of: entry) else {
            return false
        }
        return sent.bindings.isEmpty && sent.inline.isEmpty
            && (sent.undeclared.isEmpty ? !sent.values.isEmpty : sent.plan.isOpen)
    }

    /// Whether a read of the entity shows all that a request writes over or takes away.
    ///
    /// It does not show links that are no foreign keys, nor what is contained in the entity, nor streams.
    package func isShownWhole(_ entry: QueueEntry) throws -> Bool {
        guard let (row, table) = schema.row(of: entry) else { return false }
        if entry.method == "DELETE" {
            return try !holdsMore(row, in: table) && isKnownWhole(row, in: table)
        }
        if entry.method == "PUT", try !isKnownWhole(row, in: table) { return false }
        guard let sent = try body(of: entry) else { return true }
        return sent.inline.isEmpty
            && sent.bindings.allSatisfy { binding in
                // What is added to a collection takes nothing out of it.
                if model[binding.navigation].isCollection { return true }
                let target = model.target(of: binding.navigation, from: table.source)
                switch schema.layout.relationship(
                    binding.navigation,
                    from: table.source,
                    to: target
                ) {
                case .dependent, .principal: return true
                case .contained, .links, .unbound: return false
                }
            }
    }

    /// Whether every value of an entity was known when it was changed: a value that was not may be another client's.
    private func isKnownWhole(_ row: Int64, in table: TableLayout) throws -> Bool {
        guard try rows.catalog.exists(table.baseName),
            let base = try StoredValues(of: row, in: table, named: table.baseName, rows)
        else { return true }
        let type = try rows.heldType(row, in: table)
        return !table.columns.indices.contains { slot in
            model.type(type, isOrExtends: table.columns[slot].declaringType) && base.isUnknown(slot)
        }
    }

    /// Whether entities or streams go with an entity.
    private func holdsMore(_ row: Int64, in table: TableLayout) throws -> Bool {
        let type = try rows.heldType(row, in: table)
        return model.hasStreams(type)
            || model.navigationProperties(of: type).contains(where: \.containsTarget)
    }

    private func body(of entry: QueueEntry) throws -> EntityBody? {
        guard let text = entry.body,
            let source = schema.source(of: entry),
            let plan = schema.plans.plan(for: source)
        else { return nil }
        return try EntityBodyReader.read(Array(text.utf8), plan: plan, in: schema)
    }

    /// Records that a request was carried out, as a later look at the entity shows.
    ///
    /// Others may have changed the entity since. Where nothing more waits, what was read is the row's, so that a later change is made on
    /// what its ETag stands for; else the ETag is taken over only where they have left alone what later changes write.
    package func succeed(_ entry: QueueEntry, shownBy body: EntityBody, etag: String?) throws {
        var body = body
        body.control[.etag] = nil
        try succeed(entry, success: Success(representation: body))
        guard let (row, table) = schema.row(of: entry) else { return }
        let isSettled = try journal.requests(on: row).isEmpty
        if isSettled { try apply(body, to: row, in: table) }
        guard let etag else { return }
        let isUntouched =
            try isSettled || isBase(body, of: row, in: table, writing: writtenSlots(of: row, table))
        try takeReadETag(isUntouched ? etag : ETagState.stale, of: row, in: table)
    }

    /// The slots of a row that waiting changes write.
    func writtenSlots(of row: Int64, _ table: TableLayout) throws -> Set<Int> {
        let written = try journal.writtenColumns(of: row)
        return Set(table.columns.indices.filter { written.contains(table.columns[$0].name) })
    }

    /// Takes over the ETag with which an entity was read, where it is what the waiting changes were made on; answers whether it is.
    func takeETag(
        _ etag: String?,
        ofBase body: EntityBody,
        of row: Int64,
        in table: TableLayout
    ) throws -> Bool {
        let written = try writtenSlots(of: row, table)
        guard try isBase(body, of: row, in: table, writing: written) else { return false }
        try takeReadETag(etag, of: row, in: table)
        return true
    }

    /// Takes over an ETag that was read for an entity with waiting changes.
    package func takeReadETag(_ etag: String?, for entry: QueueEntry) throws {
        guard let (row, table) = schema.row(of: entry) else { return }
        try takeReadETag(etag, of: row, in: table)
    }

    func takeReadETag(_ etag: String?, of row: Int64, in table: TableLayout) throws {
        try CalledRows(connection, schema: schema).remove(row)
        for name in try rows.catalog.versions(of: table) {
            try connection.run(
                "UPDATE \(name.sqlQuoted) SET \"$etag\" = ?2 WHERE \"$id\" = ?1",
                [.integer(row), Scalar(etag)]
            )
        }
        try connection.run(
            "UPDATE \"$queue\" SET \"etag\" = ?2 WHERE \"row\" = ?1 AND \"streamProperty\" IS NULL",
            [.integer(row), Scalar(etag)]
        )
    }

    /// Takes over the ETag with which a refused change is to be sent again.
    package func takeRenewedETag(_ etag: String?, for entry: QueueEntry) throws {
        if entry.flags.contains(.operation) {
            try CalledEntity(connection, schema: schema).take(etag, for: entry)
        } else if entry.streamProperty == nil {
            try takeReadETag(etag, for: entry)
        } else {
            try takeReadStreamETag(etag, for: entry)
        }
    }

    /// Writes down that the service has no more the entity that a waiting change is about.
    package func markGone(_ entry: QueueEntry) throws {
        guard let (row, table) = schema.row(of: entry) else { return }
        try GoneMarks(connection).insert(row)
        try AbsentRows(connection, schema: schema).confirm(
            RowReference(source: table.source, row: row)
        )
        guard try rows.catalog.exists(table.name) else { return }
        try connection.run(
            """
            UPDATE \(table.sql) SET "$state" = "$state" | \(RowState.conflict.rawValue)
            WHERE "$id" = ?1
            """,
            [.integer(row)]
        )
    }

    /// Takes the values that the service answered into the row, under the changes that still wait.
    func apply(_ body: EntityBody, to row: Int64, in table: TableLayout) throws {
        let hasBase = try rebuild.has(row, in: table.baseName)
        let name = hasBase ? table.baseName : table.name
        try rows.update(row, in: table, with: body, named: name)
        guard hasBase else { return }
        try rebuild.rebuild([ChangedRow(table: table.name, row: row)], links: [])
    }
}

extension EntityBody {
    /// The body without the values of other slots.
    fileprivate func showing(only slots: Set<Int>) -> EntityBody {
        var rest = self
        rest.values.removeAll { !slots.contains($0.slot) }
        return rest
    }
}
