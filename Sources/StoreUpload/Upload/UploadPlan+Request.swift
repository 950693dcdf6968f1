import ODataSQLite
import StoreRecords
import ODataSQL
import ODataValues
import ODataModel
import ODataAnswers
import ODataHTTP
import ODataTables

/// One request as it is sent.
extension UploadPlan {
    func outgoing(
        _ entry: QueueEntry,
        number: Int,
        naming: ChangeSetReferences.Naming
    ) throws -> OutgoingRequest {
        let etag = try baseETag(entry)
        let links = try addressed(entry)
        let usual = form.url(naming.url)
        let entityURL = links?.url(usual) ?? usual
        let streamURL = try StreamEditLink(connection, schema: schema).link(of: entry)
        let url = streamURL ?? entityURL
        let expected = entry.streamProperty == nil ? etag : entry.etag
        let isWithoutETag =
            expected == nil && !entry.flags.contains(.upsert) && entry.streamProperty == nil
        // Without ETags the values decide: another client's change that a download has seen is not written over.
        let isSeenGone = try isWithoutETag && isSeenGone(entry)
        let isKnownConflict =
            try isSeenGone || isWithoutETag && (hasServerCopy(entry) || isLeftAlone(entry))
        let isUnstated = try isWithoutETag && !isKnownConflict && unstated.mayExist(for: entry)
        var request = try OutgoingRequest(
            entry: entry,
            contentID: number,
            method: form.method(entry.method),
            url: url,
            body: naming.body.map { try form.body($0, of: entry, url: usual, links: links) },
            headers: headers(entry, etag: etag),
            hasStaleETag: isUpdate(entry) && !entry.hasOwnCondition
                && (ETagState.needsLook(expected) || isUnstated || isKnownConflict)
        )
        request.isETagUnstated = isUnstated
        if entry.isLinkChange, let conflict = try knownConflict(entry) {
            (request.isInConflict, request.hasStaleETag) = (true, true)
            // A link may be changed from its other end.
            if conflict.row != entry.row {
                let rows = RowEditor(connection, layout: schema.layout)
                request.conflictURL = try EntityLink(rows).link(conflict)
            }
        }
        request.isSeenGone = isSeenGone
        if streamURL != nil, let slash = entityURL.lastIndex(of: "/") {
            request.streamOwner = String(entityURL[..<slash])
        }
        request.isAtom = form.isAtom
        return request
    }

    /// Whether the service was seen without the entity that a request changes.
    private func isSeenGone(_ entry: QueueEntry) throws -> Bool {
        guard let row = entry.row, isUpdate(entry) else { return false }
        return try GoneMarks(connection).contains(row)
    }

    /// Whether a request changes an entity that was downloaded, and that no query brings any more: it is not known whether others have
    /// changed it since, and they may have taken it out of the queries.
    private func isLeftAlone(_ entry: QueueEntry) throws -> Bool {
        guard let row = entry.row, isUpdate(entry),
            let table = schema.table(of: entry),
            try rows.catalog.exists(table.baseName)
        else { return false }
        return try connection.integer(
            """
            SELECT 1 FROM \(table.baseName.sqlQuoted) WHERE "$id" = ?1 AND "$queries" = 0 AND "$stamp" <> 0
                AND "$state" & \(RowState.local.rawValue) = 0 AND NOT \(MemberRows.isHeld)
            """,
            [.integer(row)]
        ) != nil
    }

    /// Whether a download has brought a newer version of the entity that a request changes.
    private func hasServerCopy(_ entry: QueueEntry) throws -> Bool {
        guard let row = entry.row, isUpdate(entry),
            let table = schema.table(of: entry)
        else { return false }
        return try RowRebuild(connection, layout: schema.layout).has(row, in: table.serverName)
    }

    /// The entity whose foreign key a link change sets and of which a download has brought a newer version.
    private func knownConflict(_ entry: QueueEntry) throws -> RowReference? {
        let rebuild = RowRebuild(connection, layout: schema.layout)
        for case .set(let name, let row, _, _) in try EffectJournal(connection).effects(
            of: entry.id
        ) {
            guard let table = schema.layout.table(named: name) else { continue }
            if try rebuild.has(row, in: table.serverName) {
                return RowReference(source: table.source, row: row)
            }
        }
        return nil
    }

    /// The links of the entities that a request names, where the service has given some of its own.
    private func addressed(_ entry: QueueEntry) throws -> AddressedLinks? {
        guard try EntityAddresses(connection).areUsed() else { return nil }
        var rows: [RowReference] = []
        try connection.forEachRow(
            """
            SELECT a."row", a."table" FROM "$address" a WHERE a."row" = ?2
                OR a."row" IN (SELECT "row" FROM "$refers" WHERE "request" = ?1)
            """,
            [.integer(entry.id), .init(entry.row)]
        ) { row in
            guard let table = schema.layout.table(named: row.string(1)) else { return }
            rows.append(RowReference(source: table.source, row: row.integer(0)))
        }
        return try AddressedLinks(of: rows, on: connection, schema: schema, as: form)
    }

    /// `If-Match` with the ETag of the copy that the change was made on, and the request's own fields.
    ///
    /// In version 4 an update of an entity that is gone would create it anew, so it always carries a condition
    /// (OData 4.01 Part 1 § 11.4.4). Versions 1 to 3 know no such creation, and some of their services refuse `*`.
    private func headers(_ entry: QueueEntry, etag: String?) throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in entry.headerFields {
            let value = field.isTemplate ? try filled(field.value, of: entry) : field.value
            headers.add(field.name, value)
        }
        guard headers["If-Match"] == nil else { return headers }
        if entry.flags.contains(.operation) {
            headers["If-Match"] = try calledETag(entry)
            return headers
        }
        if try wantsLinkCondition(entry) {
            // Some services of versions 1 to 3 refuse the star.
            let known = form.version.isV4 || etag == ETagState.stale ? nil : etag
            headers["If-Match"] = known ?? "*"
        }
        guard isUpdate(entry), !entry.flags.contains(.upsert) else { return headers }
        if entry.streamProperty != nil {
            // A stream has an ETag of its own, and may not be there yet (OData 4.01 Part 1 § 11.4.7.2).
            headers["If-Match"] = ETagState.needsLook(entry.etag) ? nil : entry.etag
            return headers
        }
        if let etag, etag != ETagState.stale {
            headers["If-Match"] = etag
        } else if form.version.isV4 {
            headers["If-Match"] = "*"
        }
        return headers
    }

    /// Whether a link is replaced or ended where the set, or the service, wants a condition with each change.
    ///
    /// Any version of the entity will do, since the change writes nothing over that others have written.
    private func wantsLinkCondition(_ entry: QueueEntry) throws -> Bool {
        guard entry.isLinkChange, let source = schema.source(of: entry) else { return false }
        guard form.version.isV4 else { return try LinkCondition.isWanted(connection) }
        guard ["PUT", "DELETE"].contains(entry.method) else { return false }
        return try schema.model.wantsPrecondition(source) || LinkCondition.isWanted(connection)
    }

    /// The ETag of the entity that an operation is called on, where the service wants it.
    private func calledETag(_ entry: QueueEntry) throws -> String? {
        if let etag = entry.etag, etag != ETagState.stale { return etag }
        guard try CalledEntity.isETagWanted(connection) else { return nil }
        return try CalledEntity(connection, schema: schema).etag(of: entry)
    }

    private func isUpdate(_ entry: QueueEntry) -> Bool {
        ["PATCH", "PUT", "DELETE"].contains(entry.method) && !entry.url.contains("/$ref")
    }

    /// Puts the values into a template.
    ///
    /// - Throws: ``UnsendableRequest`` where a value from the service is still unknown.
    private func filled(_ text: String, of entry: QueueEntry) throws -> String {
        guard let row = entry.row, let source = schema.source(of: entry)
        else { return text }
        let values = HeaderValues(connection, schema: schema)
        let own = RowReference(source: source, row: row)
        return try HeaderTemplate(text: text).filled { placeholder in
            do {
                guard let text = try values.text(placeholder, own: own) else {
                    throw UnsendableRequest.localID(in: "header field", of: entry.id)
                }
                // A text of several lines would end the field.
                return HTTPFieldRules.cleaned(text)
            } catch let error as EditError where error.code == .notFound {
                // An entity that is gone by now leaves its place empty.
                return ""
            }
        }
    }

    private func baseETag(_ entry: QueueEntry) throws -> String? {
        guard let row = entry.row, let source = schema.source(of: entry),
            let table = schema.layout[source], try rows.catalog.exists(table.baseName)
        else { return entry.etag }
        let base = try connection.firstRow(
            "SELECT \"$etag\" FROM \(table.baseName.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        ) { $0.optionalString(0) }
        return if let base { base } else { entry.etag }
    }
}
