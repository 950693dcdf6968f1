package import ODataSQLite
import StoreRecords
import ODataSQL
import ODataValues
import ODataModel
import ODataAnswers
import ODataHTTP
package import ODataTables

/// Chooses what can be sent next: requests that wait for nothing, with their references resolved.
package struct UploadPlan {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let form: WireForm
    private let identities: RequestIdentities
    private let unstated: UnstatedETags
    private let calls: UnboundCalls
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    /// - Parameter calls: The calls that are known from former rounds of one upload.
    package init(
        _ connection: SQLiteConnection,
        schema: TableSchema,
        calls: UnboundCalls = UnboundCalls()
    ) throws {
        self.calls = calls
        self.connection = connection
        self.schema = schema
        form = WireForm(
            schema,
            root: try ServiceRoot.text(connection) ?? "",
            isAtom: try StoreState.answersAtom(connection)
        )
        identities = try RequestIdentities(connection, schema: schema)
        unstated = UnstatedETags(connection, schema: schema)
    }

    /// Returns the next units, at most `limit` requests with about so many bytes of bodies; empty where nothing can be sent.
    ///
    /// A transaction is one unit as soon as nothing outside of it has to be sent before; one that is larger goes by itself.
    ///
    /// - Parameters:
    ///   - renewed: Requests that were refused for their ETags alone: they go behind those that name the same entities.
    ///   - isOrderKept: Whether the service carries out in order what comes in one message.
    package func nextUnits(
        limit: Int,
        categories: Set<String>? = nil,
        byteLimit: Int = .max,
        renewed: Set<Int64> = [],
        isOrderKept: Bool = true
    ) throws -> [OutgoingUnit] {
        var isFree = false
        // What is parked takes the place of others in the limit; each turn parks one at least, so this ends.
        while true {
            let order = isFree ? nil : try calls.order(connection, categories: categories)
            let (units, hasParked) = try chooseUnits(
                limit,
                categories: categories,
                byteLimit: byteLimit,
                renewed: renewed,
                order: order,
                isOrderKept: isOrderKept
            )
            guard units.isEmpty else { return units }
            if hasParked { continue }
            // What is left waits for each other, or for a person.
            guard let order, !order.hasSent else { return [] }
            isFree = true
        }
    }

    private func chooseUnits(
        _ limit: Int,
        categories: Set<String>?,
        byteLimit: Int,
        renewed: Set<Int64>,
        order: QueueOrder?,
        isOrderKept: Bool
    ) throws -> (units: [OutgoingUnit], hasParked: Bool) {
        var order = order
        let queue = RequestQueue(connection)
        var units: [OutgoingUnit] = []
        var (number, byteCount) = (0, 0)
        var started: Set<String> = []
        var hasParked = false
        let calls = CalledRows(connection, schema: schema)
        var called = try calls.beingCalled()
        var deleted = try calls.beingDeleted()
        for entry in try queue.ready(limit: limit, categories: categories) where number < limit {
            var members = [entry]
            if let transaction = entry.transaction {
                guard started.insert(transaction).inserted else { continue }
                members = try queue.entries(inTransaction: transaction)
            }
            // A call goes before what was changed after it.
            guard order?.allows(members, isKept: isOrderKept) ?? true,
                !members.contains(where: { called.contains($0.row ?? 0) }),
                try !members.contains(where: { try holdsKey(of: deleted, $0) }),
                try !members.contains(where: {
                    try renewed.contains($0.id) && isBehindOthers($0)
                })
            else { continue }
            do {
                for entry in members { try identities.check(entry) }
                let unit = try self.unit(
                    of: members,
                    firstNumber: number + 1,
                    isChangeSet: entry.transaction != nil
                )
                byteCount += unit.byteCount
                number += unit.requests.count
                guard units.isEmpty || byteCount <= byteLimit && number <= limit else { break }
                units.append(unit)
                order?.choose(members)
                for entry in members { called.formUnion(try calls.rows(namedBy: entry)) }
                deleted.formUnion(members.filter(\.isDeletion).compactMap(\.row))
            } catch let reason as UnsendableRequest {
                try queue.park(members.map(\.id), because: reason)
                hasParked = true
            }
        }
        return (units, hasParked)
    }

    /// Whether requests that go before one name its entity: a link, or an entity below, may change the ETag as well.
    private func isBehindOthers(_ entry: QueueEntry) throws -> Bool {
        guard let row = entry.row else { return false }
        return try connection.integer(
            """
            SELECT 1 FROM (SELECT "request" AS "id" FROM "$refers" WHERE "row" = ?2
                UNION SELECT "id" FROM "$queue" WHERE "row" = ?2) n
            JOIN "$queue" q ON q."id" = n."id"
            WHERE q."position" < (SELECT "position" FROM "$queue" WHERE "id" = ?1)
                AND q."status" IN ('pending', 'sending')
                AND (?3 IS NULL OR q."transaction" IS NOT ?3) LIMIT 1
            """,
            [.integer(entry.id), .integer(row), .init(entry.transaction)]
        ) != nil
    }

    /// Whether a request changes an entity that has the key of one whose deletion goes before it: that may change it too.
    private func holdsKey(of deleted: Set<Int64>, _ entry: QueueEntry) throws -> Bool {
        guard !deleted.isEmpty, !entry.isCreation, let row = entry.row,
            let table = schema.table(of: entry)
        else { return false }
        let related = RelatedRows(RowEditor(connection, layout: schema.layout))
        return try !deleted.isDisjoint(with: related.principals(of: row, table))
    }

    /// Returns the units whose sending was begun and never answered, with the members and in the form that they had.
    package func sentUnits() throws -> [OutgoingUnit] {
        let queue = RequestQueue(connection)
        let entries = try queue.entries([.sending])
        var units: [OutgoingUnit] = []
        var number = 0
        var seen: Set<String> = []
        for entry in entries {
            guard let unit = entry.unit, seen.insert(unit).inserted else { continue }
            let members = entries.filter { $0.unit == unit }
            do {
                units.append(
                    try self.unit(
                        of: members,
                        firstNumber: number + 1,
                        isChangeSet: members.count > 1 || entry.flags.contains(.inChangeSet)
                    )
                )
                number += members.count
            } catch let reason as UnsendableRequest {
                try queue.leaveUnknown(members.map(\.id), because: reason)
            }
        }
        return units
    }

    private func unit(of members: [QueueEntry], firstNumber: Int, isChangeSet: Bool) throws
        -> OutgoingUnit
    {
        var references = ChangeSetReferences(connection, schema: schema, identities: identities)
        var requests: [OutgoingRequest] = []
        var isUnsayable = false
        for (offset, entry) in Self.ordered(members).enumerated() {
            let naming = try references.naming(entry)
            requests.append(try outgoing(entry, number: firstNumber + offset, naming: naming))
            isUnsayable = isUnsayable || naming.isUnsayable
            if members.count > 1 { try references.add(entry, contentID: firstNumber + offset) }
        }
        // A link has a URL of its own, beside that of its entity.
        let touched = members.filter { !$0.isLinkChange }.compactMap(\.row)
        let isRepeated = members.count > 1 && Set(touched).count != touched.count
        return OutgoingUnit(
            requests: requests,
            isChangeSet: isChangeSet,
            obstacle: isRepeated ? .repeatedEntity : isUnsayable ? .bodyReference : nil
        )
    }

    /// Members of a change set, each behind those that it waits for: it may name only what stands before it
    /// (OData 4.01 Part 1 § 11.7.4).
    ///
    /// What is added below an entity may change its ETag (§ 11.4.2): an update of the entity goes before.
    private static func ordered(_ members: [QueueEntry]) -> [QueueEntry] {
        let ids = Set(members.map(\.id))
        let above = updatesAbove(members)
        guard !above.isEmpty || members.contains(where: { !ids.isDisjoint(with: $0.dependsOn) })
        else { return members }
        var left = members
        var placed: Set<Int64> = []
        var result: [QueueEntry] = []
        while let index = left.firstIndex(where: { entry in
            (entry.dependsOn + (above[entry.id] ?? []))
                .allSatisfy { placed.contains($0) || !ids.contains($0) }
        }) {
            let next = left.remove(at: index)
            placed.insert(next.id)
            result.append(next)
        }
        return result + left
    }

    /// The updates of entities below which other members stand, by these.
    private static func updatesAbove(_ members: [QueueEntry]) -> [Int64: [Int64]] {
        let updates = members.filter { ["PATCH", "PUT"].contains($0.method) }
        let byURL = Dictionary(grouping: updates, by: \.url)
        guard !byURL.isEmpty else { return [:] }
        var above: [Int64: [Int64]] = [:]
        for member in members {
            for slash in member.url.indices where member.url[slash] == "/" {
                let owners = byURL[String(member.url[..<slash])] ?? []
                above[member.id, default: []] +=
                    owners
                    .filter { !$0.dependsOn.contains(member.id) }.map(\.id)
            }
        }
        return above.filter { !$0.value.isEmpty }
    }

    // MARK: One request

    private func outgoing(
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
                && (expected == ETagState.stale || isUnstated || isKnownConflict)
        )
        request.isETagUnstated = isUnstated
        if try entry.isLinkChange && hasKnownConflict(entry) {
            (request.isInConflict, request.hasStaleETag) = (true, true)
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

    /// Whether a link change sets a foreign key of an entity of which a download has brought a newer version.
    private func hasKnownConflict(_ entry: QueueEntry) throws -> Bool {
        let rebuild = RowRebuild(connection, layout: schema.layout)
        for case .set(let name, let row, _, _) in try EffectJournal(connection).effects(
            of: entry.id
        ) {
            guard let table = schema.layout.table(named: name) else { continue }
            if try rebuild.has(row, in: table.serverName) { return true }
        }
        return false
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
        if wantsLinkCondition(entry) { headers["If-Match"] = "*" }
        guard isUpdate(entry), !entry.flags.contains(.upsert) else { return headers }
        if entry.streamProperty != nil {
            // A stream has an ETag of its own, and may not be there yet (OData 4.01 Part 1 § 11.4.7.2).
            headers["If-Match"] = entry.etag == ETagState.stale ? nil : entry.etag
            return headers
        }
        if let etag, etag != ETagState.stale {
            headers["If-Match"] = etag
        } else if form.version.isV4 {
            headers["If-Match"] = "*"
        }
        return headers
    }

    /// Whether a link of a set that wants a condition with each change is replaced or ended; any version of the entity will do, since
    /// the change writes nothing over that others have written.
    private func wantsLinkCondition(_ entry: QueueEntry) -> Bool {
        guard entry.isLinkChange, ["PUT", "DELETE"].contains(entry.method), form.version.isV4,
            let source = schema.source(of: entry)
        else { return false }
        return schema.model.wantsPrecondition(source)
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
