package import ODataModel
import ODataProtocol
package import ODataTables

/// Chooses what can be sent next: requests that wait for nothing, with their references resolved.
package struct UploadPlan {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let form: WireForm
    private var rows: RowEditor { RowEditor(connection, schema.layout) }

    package init(_ connection: SQLiteConnection, _ schema: TableSchema) throws {
        self.connection = connection
        self.schema = schema
        form = WireForm(schema, root: try ServiceRoot.text(connection) ?? "")
    }

    /// Returns the next units, at most `limit` requests; empty where nothing can be sent.
    ///
    /// A transaction is one unit as soon as nothing outside it has to be sent before; a request whose transaction touches one
    /// entity twice goes by itself, since a change set has no order.
    ///
    /// - Parameter grouping: Whether transactions go as change sets; else their members go one by one, each as soon as the keys
    ///   that it names are known.
    package func nextUnits(
        limit: Int,
        categories: Set<String>? = nil,
        grouping: Bool = true
    ) throws -> [OutgoingUnit] {
        let queue = RequestQueue(connection)
        var units: [OutgoingUnit] = []
        var number = 0
        var started: Set<String> = []
        for entry in try queue.ready(limit: limit, categories: categories, grouping: grouping)
        where number < limit {
            guard let transaction = entry.transaction, grouping else {
                guard entry.dependsOn.isEmpty else { continue }
                number += 1
                units.append(
                    OutgoingUnit(requests: [try outgoing(entry, number, [:])], isChangeSet: false)
                )
                continue
            }
            guard started.insert(transaction).inserted else { continue }
            let members = try queue.pending(inTransaction: transaction)
            for unit in try self.units(of: members, firstNumber: number + 1) {
                number += unit.requests.count
                units.append(unit)
            }
        }
        return units
    }

    /// Returns the units whose sending was begun and never answered, with the members that they had.
    package func sentUnits() throws -> [OutgoingUnit] {
        let entries = try RequestQueue(connection).entries([.sending])
        var units: [OutgoingUnit] = []
        var number = 0
        var seen: Set<String> = []
        for entry in entries {
            guard let unit = entry.unit, seen.insert(unit).inserted else { continue }
            let members = entries.filter { $0.unit == unit }
            units.append(
                try self.unit(of: members, firstNumber: number + 1, isChangeSet: members.count > 1)
            )
            number += members.count
        }
        return units
    }

    private func units(of members: [QueueEntry], firstNumber: Int) throws -> [OutgoingUnit] {
        let ids = Set(members.map(\.id))
        // A link has a URL of its own, beside that of its entity.
        let touched = members.filter { !$0.isLinkChange }.compactMap(\.row)
        guard Set(touched).count == touched.count else {
            return try members.first { $0.dependsOn.isEmpty }
                .map {
                    [
                        OutgoingUnit(
                            requests: [try outgoing($0, firstNumber, [:])],
                            isChangeSet: false
                        )
                    ]
                } ?? []
        }
        guard members.allSatisfy({ ids.isSuperset(of: $0.dependsOn) }) else { return [] }
        return [try unit(of: members, firstNumber: firstNumber, isChangeSet: true)]
    }

    private func unit(of members: [QueueEntry], firstNumber: Int, isChangeSet: Bool) throws
        -> OutgoingUnit
    {
        var inUnit: [Int64: Int] = [:]
        var requests: [OutgoingRequest] = []
        for (offset, entry) in members.enumerated() {
            requests.append(try outgoing(entry, firstNumber + offset, inUnit))
            if entry.method == "POST", let row = entry.row { inUnit[row] = firstNumber + offset }
        }
        return OutgoingUnit(requests: requests, isChangeSet: isChangeSet)
    }

    /// Returns the URL that a request goes to as far as keys are known.
    package func url(of entry: QueueEntry) throws -> String {
        form.url(try resolved(entry.url, referredLocalIDs(entry.id), [:]))
    }

    // MARK: One request

    private func outgoing(
        _ entry: QueueEntry,
        _ number: Int,
        _ inUnit: [Int64: Int]
    ) throws -> OutgoingRequest {
        let referred = try referredLocalIDs(entry.id)
        let etag = try baseETag(entry)
        let links = try addressed(entry)
        let usual = form.url(try resolved(entry.url, referred, inUnit))
        let url = links?.url(usual) ?? usual
        return OutgoingRequest(
            entry: entry,
            contentID: number,
            method: form.method(entry.method),
            url: url,
            body: try entry.body.map {
                try form.body(resolved($0, referred, inUnit), of: entry, url: usual, links)
            },
            headers: headers(entry, etag),
            hasStaleETag: etag == ETagState.stale && isUpdate(entry)
        )
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
        return try AddressedLinks(of: rows, connection, schema, form)
    }

    private func referredLocalIDs(_ request: Int64) throws -> [(
        row: Int64, id: LocalID, table: String
    )] {
        var found: [(row: Int64, id: LocalID, table: String)] = []
        try connection.forEachRow(
            """
            SELECT l."row", l."id", l."table" FROM "$refers" r JOIN "$local" l ON l."row" = r."row"
            WHERE r."request" = ?1
            """,
            [.integer(request)]
        ) { row in
            if let id = LocalID(bytes: row.bytes(1)) {
                found.append((row.integer(0), id, row.string(2)))
            }
        }
        return found
    }

    /// Replaces local ids by keys, or by the Content-ID of a create in the same change set.
    private func resolved(
        _ text: String,
        _ referred: [(row: Int64, id: LocalID, table: String)],
        _ inUnit: [Int64: Int]
    ) throws -> String {
        var text = text
        for reference in referred {
            let predicate = "($local='\(reference.id.text)')"
            guard text.contains(predicate) else { continue }
            if let table = schema.layout.table(named: reference.table),
                let key = try key(of: reference.row, in: table),
                let known = EntityURL(model: schema.model, version: .v4)
                    .keyPredicate(of: table.entityType, key)
            {
                text = text.replacing(predicate, with: known)
            } else if let target = try EntityAddresses(connection).address(of: reference.row)?
                .target
            {
                // The service has told where it is, but not its key.
                text = text.replacing(reference.table + predicate, with: target)
            } else if let number = inUnit[reference.row] {
                text = text.replacing(reference.table + predicate, with: "$\(number)")
            }
        }
        return text
    }

    /// The key of a row, also of one that is deleted here.
    private func key(of row: Int64, in table: TableLayout) throws -> [Scalar]? {
        if let key = try rows.key(of: row, in: table) { return key }
        guard try rows.catalog.exists(table.baseName) else { return nil }
        return try rows.key(of: row, in: table, named: table.baseName)
    }

    /// `If-Match` with the ETag of the copy that the change was made on, and the request's own fields.
    ///
    /// In version 4 an update of an entity that is gone would create it anew, so it always carries a condition
    /// (OData 4.01 Part 1 § 11.4.4). Versions 1 to 3 know no such creation, and some of their services refuse `*`.
    private func headers(_ entry: QueueEntry, _ etag: String?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for line in (entry.headers ?? "").split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            var value = String(line[line.index(after: colon)...].drop { $0 == " " })
            // A line that begins with a space is a template.
            if line.hasPrefix(" ") { value = filled(value, entry) }
            headers.add(String(line[..<colon].drop { $0 == " " }), value)
        }
        guard isUpdate(entry), headers["If-Match"] == nil, !entry.flags.contains(.upsert) else {
            return headers
        }
        if entry.streamProperty != nil {
            // A stream has an ETag of its own, and may not be there yet (OData 4.01 Part 1 § 11.4.7.2).
            headers["If-Match"] = entry.etag
            return headers
        }
        if let etag, etag != ETagState.stale {
            headers["If-Match"] = etag
        } else if form.version.isV4 {
            headers["If-Match"] = "*"
        }
        return headers
    }

    private func isUpdate(_ entry: QueueEntry) -> Bool {
        ["PATCH", "PUT", "DELETE"].contains(entry.method) && !entry.url.contains("/$ref")
    }

    /// Puts the values into a template; what it names is known by now, since the request waited for it.
    private func filled(_ text: String, _ entry: QueueEntry) -> String {
        guard let row = entry.row, let source = entry.source.flatMap({ schema.source(named: $0) })
        else { return text }
        let values = HeaderValues(connection, schema)
        let own = RowReference(source: source, row: row)
        return HeaderTemplate(text: text).filled { placeholder in
            // An entity that is gone by now leaves its place empty.
            (try? values.text(placeholder, own: own)) ?? ""
        }
    }

    private func baseETag(_ entry: QueueEntry) throws -> String? {
        guard let row = entry.row, let source = entry.source.flatMap({ schema.source(named: $0) }),
            let table = schema.layout[source], try rows.catalog.exists(table.baseName)
        else { return entry.etag }
        let base = try connection.firstRow(
            "SELECT \"$etag\" FROM \(table.baseName.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        ) { $0.optionalString(0) }
        return if let base { base } else { entry.etag }
    }
}

extension TableSchema {
    /// The source of this name: a set, a singleton or a contained collection.
    package func source(named name: String) -> NavigationSource? {
        model.navigationSources.first { model.name(of: $0) == name }
    }
}
