package import ODataSQLite
import StoreRecords
package import ODataSQL
package import ODataValues
import ODataBinding
package import ODataTables

/// Gives a row another key; whatever names the row by its old key follows.
///
/// A service may give a created entity another key than the client has sent (OData 4.01 Part 1 § 11.4.2).
package struct KeyChange {
    let connection: SQLiteConnection
    let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }
    private var journal: EffectJournal { EffectJournal(connection) }
    private var unreturned: UnreturnedKeys { UnreturnedKeys(connection) }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Sets the key that the service has returned.
    package func settle(_ row: Int64, in table: TableLayout, to key: [Scalar]) throws {
        let duplicates = DuplicateRow(connection, schema: schema)
        if let duplicate = try duplicates.duplicate(of: row, key: key, in: table) {
            // A service may give two new entities the keys of each other.
            if try duplicates.isUnanswered(duplicate, in: table) {
                try vacate(duplicate, in: table)
            } else {
                try duplicates.merge(duplicate, into: row, in: table)
            }
        }
        try CreatedControl(rows).remove(row, in: table)
        try set(key, of: row, in: table)
        try unreturned.remove(row)
    }

    /// Keeps what a download has brought under a key, to be taken by the row that is the same entity, unless that is changed here.
    ///
    /// It stands among the service's copies, under an id that no row has, until ``takeBrought(for:in:)`` in the same transaction.
    package func keepBrought(under key: [Scalar], for row: Int64, in table: TableLayout) throws {
        guard
            let brought = try DuplicateRow(connection, schema: schema)
                .duplicate(of: row, key: key, in: table),
            try journal.requests(on: brought).isEmpty
        else { return }
        try rows.catalog.ensureCopies(table.serverName, of: table)
        let system = SystemColumn.ordered.filter { $0 != .id }.map(\.sql)
        let columns = (system + table.columns.map(\.sql)).joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO \(table.serverName.sqlQuoted) ("$id", \(columns))
                SELECT ?2, \(columns) FROM \(table.sql) WHERE "$id" = ?1
            """,
            [.integer(brought), .integer(-row)]
        )
    }

    /// Makes what was kept the values of the row.
    package func takeBrought(for row: Int64, in table: TableLayout) throws {
        let rebuild = RowRebuild(connection, layout: schema.layout)
        guard try rebuild.has(-row, in: table.serverName) else { return }
        try connection.run(
            "UPDATE \(table.serverName.sqlQuoted) SET \"$id\" = ?2 WHERE \"$id\" = ?1",
            [.integer(-row), .integer(row)]
        )
        try rebuild.copyServer(row, in: table, to: table.name)
        try rebuild.dropCopies(row, in: table)
        try rebuild.updateState(of: row, table)
    }

    /// Takes away a key that is another entity's; the local id stands for the entity from now on.
    package func vacate(_ row: Int64, in table: TableLayout) throws {
        guard let local = try EntityLink(rows).localID(of: row),
            let link = try self.link(row, in: table)
        else { return }
        let key = table.keyColumns.map {
            UnknownValue.provisional(local, in: table.columns[$0])
        }
        try set(key, of: row, in: table)
        try unreturned.note(row, in: table)
        try unreturned.setFormerLink(link, of: row)
    }

    /// Sets the key of a row that is here, or that is deleted here and has its copy.
    package func set(_ key: [Scalar], of row: Int64, in table: TableLayout) throws {
        guard let values = try rows.heldValues(of: row, in: table) else { return }
        let old = table.keyColumns.map { values[$0] }
        guard old != key else { return }
        let oldLinks = try self.oldLinks(row, in: table)
        let requests = try oldLinks.isEmpty ? [] : self.requests(naming: row)
        for name in try rows.catalog.versions(of: table) {
            let list = table.keyColumns.enumerated()
                .map { "\(table.columns[$1].sql) = ?\($0 + 2)" }.joined(separator: ", ")
            try connection.run(
                "UPDATE \(name.sqlQuoted) SET \(list) WHERE \"$id\" = ?1",
                [.integer(row)] + key
            )
        }
        try ForeignKeyChange(
            connection,
            schema: schema,
            principal: table,
            row: row,
            requests: requests
        )
        .replace(old, by: key)
        let link = try self.link(row, in: table)
        try CreatedControl(rows).rename(row, in: table, to: link)
        try renameBelow(row)
        if !oldLinks.isEmpty, let link {
            try rename(
                oldLinks,
                to: link,
                requests: requests,
                pair: .init(table: table, old: [old], new: key)
            )
        }
    }

    /// The links of what was created below a row begin with its link.
    private func renameBelow(_ row: Int64) throws {
        for below in try ContainedRows(connection, layout: rows.layout).below(row).map(\.row) {
            for table in try rows.catalog.tables()
            where try table.isContained && rows.holder(of: below, in: table) != nil {
                try CreatedControl(rows).rename(below, in: table, to: link(below, in: table))
            }
        }
    }

    private func rename(
        _ oldLinks: [String],
        to link: String,
        requests: [Int64],
        pair: QueuedNames.KeyPair
    ) throws {
        var pair = pair
        pair.old += oldLinks.compactMap { key(in: $0) }.filter { !pair.old.contains($0) }
        let names = try QueuedNames(connection, schema: schema, from: oldLinks, to: link, key: pair)
        let queue = RequestQueue(connection)
        for id in requests { if let entry = try queue.entry(id) { try names.replace(in: entry) } }
    }

    private func key(in link: String) -> [Scalar]? {
        guard let path = EntityPath(ofService: link, in: schema.model),
            case .key(let key)? = path.steps.last
        else { return nil }
        return key
    }

    // MARK: Existing rows

    /// The links by which requests may name a row so far.
    ///
    /// A local id stays good in the queue: it is put in terms of the key when it is sent. What is contained may be named by its key
    /// below the local id of its parent.
    private func oldLinks(_ row: Int64, in table: TableLayout) throws -> [String] {
        let link = try self.link(row, in: table)
        var links = try [link, unreturned.formerLink(of: row)].compactMap { $0 }
        guard table.isContained else { return links.filter { !LocalIDText.isIn($0) } }
        guard let link, let slash = link.lastIndex(of: "/"),
            let parent = try rows.heldParent(of: row, in: table)
        else { return links }
        for other in try self.links(parent) { links.append(other + link[slash...]) }
        return Array(Set(links))
    }

    /// Every link of a row: each level by its key or by its local id.
    private func links(_ row: Int64) throws -> [String] {
        for table in try rows.catalog.tables() where try rows.holder(of: row, in: table) != nil {
            guard let link = try self.link(row, in: table) else { return [] }
            let local = try EntityLink(rows).localID(of: row).map(LocalIDText.predicate)
            guard let parent = try rows.heldParent(of: row, in: table),
                let slash = link.lastIndex(of: "/")
            else {
                let set = link.prefix { $0 != "(" }
                return [link] + (local.map { [set + $0] } ?? [])
            }
            let segment = link[slash...]
            let name = segment.prefix { $0 != "(" }
            let ends = [String(segment)] + (local.map { [name + $0] } ?? [])
            return try links(parent).flatMap { above in ends.map { above + $0 } }
        }
        return []
    }

    /// The link of a row; of one deleted here that of its copy.
    private func link(_ row: Int64, in table: TableLayout) throws -> String? {
        try EntityLink(rows, includesDeleted: true)
            .link(RowReference(source: table.source, row: row))
    }

    /// Requests that name a row or what it contains.
    private func requests(naming row: Int64) throws -> [Int64] {
        var found: Set<Int64> = []
        for row in try [row] + ContainedRows(connection, layout: rows.layout).below(row).map(\.row)
        {
            try connection.forEachRow(
                """
                SELECT "id" FROM "$queue" WHERE "row" = ?1
                UNION SELECT "request" FROM "$refers" WHERE "row" = ?1
                """,
                [.integer(row)]
            ) { found.insert($0.integer(0)) }
        }
        return found.sorted()
    }
}
