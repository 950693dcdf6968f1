package import ODataSQLite
package import ODataSQL
import ODataValues
package import ODataTables

/// Which rows the defining queries still hold, and the removal of those that none does.
package struct RowCoverage {
    let connection: SQLiteConnection
    let layout: Layout
    package let catalog: TableCatalog

    /// Rows in one of these states are never removed by a download.
    package static let kept: RowState = [.pending, .inError, .created]

    package init(_ connection: SQLiteConnection, layout: Layout) {
        self.connection = connection
        self.layout = layout
        catalog = TableCatalog(connection, layout: layout)
    }

    /// Takes a query's mark from the rows of a table that meet a condition.
    package func clear(_ query: DefiningQuery, in table: TableLayout, where condition: String = "1")
        throws
    {
        for name in try catalog.versions(of: table) {
            var others = ""
            if query.keepsMembers {
                try MemberRows(connection).remove(of: query, in: name, where: condition)
                others = " AND NOT \(MemberRows.isHeld)"
            }
            try connection.run(
                """
                UPDATE \(name.sqlQuoted) SET "$queries" = "$queries" & ~?1
                WHERE "$queries" & ?1 <> 0 AND \(condition)\(others)
                """,
                [.integer(query.bit)]
            )
        }
    }

    /// Removes the rows that no query holds, unless a local change hangs on them; contained rows go with their parents.
    ///
    /// What was uploaded and has not come down yet may still come by another query: it goes only after a download of all.
    /// - Returns: How many entities went.
    @discardableResult
    package func removeUncovered(
        in table: TableLayout,
        isComplete: Bool = false,
        where restriction: String = "1"
    ) throws -> Int {
        let rows = try uncovered(in: table, isComplete: isComplete, where: restriction)
        return try rows.reduce(0) { try $0 + remove($1, in: table) }
    }

    /// Returns the rows that no query holds, and that no local change keeps.
    ///
    /// - Parameter includesReferred: Whether a request that refers to a row does not keep it, either.
    package func uncovered(
        in table: TableLayout,
        isComplete: Bool = false,
        includesReferred: Bool = false,
        where restriction: String = "1"
    ) throws -> [Int64] {
        guard !table.isContained else { return [] }
        let kept = isComplete ? Self.kept : Self.kept.union(.local)
        var condition = """
            \(restriction) AND "$queries" = 0 AND "$state" & \(kept.rawValue) = 0
            """
        if !includesReferred {
            condition += " AND \"$id\" NOT IN (SELECT \"row\" FROM \"$refers\")"
        }
        // What is changed here keeps what contains it, at any depth.
        if let containers = try changedContainers() {
            condition += " AND \"$id\" NOT IN (\(containers))"
        }
        return try rows(in: table, where: condition)
    }

    /// Returns the contained rows that no query holds and no local change keeps, although what contains them may stay.
    ///
    /// - Parameter candidates: Those that are looked at; nil for all.
    func uncoveredContents(_ candidates: Set<Int64>?, in table: TableLayout) throws
        -> [Int64]
    {
        let condition = """
            "$queries" = 0 AND "$state" & \(Self.kept.union(.local).rawValue) = 0
                AND "$id" NOT IN (SELECT "row" FROM "$refers")
            """
        let parts = candidates.map { Self.chunks($0, column: "$id") } ?? ["1"]
        return try parts.flatMap { try rows(in: table, where: "\($0) AND \(condition)") }
            .filter { try !holdsChanges($0) }
    }

    /// Conditions that pick rows by their ids, some hundred in each.
    static func chunks(_ rows: some Sequence<Int64>, column: String) -> [String] {
        let all = rows.sorted()
        let size = 500
        return stride(from: 0, to: all.count, by: size).map { start in
            let list = all[start..<min(start + size, all.count)].map(String.init)
            return "\(column.sqlQuoted) IN (\(list.joined(separator: ", ")))"
        }
    }

    /// The query for the rows that contain changed ones; nil where nothing is contained.
    private func changedContainers() throws -> String? {
        let children = try catalog.tables().filter(\.isContained)
        guard !children.isEmpty else { return nil }
        let changed = children.map {
            "SELECT \"$parent\" FROM \($0.sql) WHERE \"$parent\" IS NOT NULL AND \"$state\" & \(Self.kept.rawValue) <> 0"
        }
        let above = children.map {
            "SELECT c.\"$parent\" FROM \"up\" JOIN \($0.sql) c ON c.\"$id\" = \"up\".\"id\" WHERE c.\"$parent\" IS NOT NULL"
        }
        let parts = (changed + above).joined(separator: " UNION ")
        return "WITH RECURSIVE \"up\"(\"id\") AS (\(parts)) SELECT \"id\" FROM \"up\""
    }

    // MARK: Gone at the service

    /// Removes a row that the service has deleted, unless it contains changes made here: then all stays until the conflict is resolved.
    package func removeGone(_ row: Int64, in table: TableLayout) throws -> GoneRows {
        var gone = GoneRows()
        let below = try changesBelow(row)
        guard !below.kept.isEmpty else {
            gone.removed = try remove(row, in: table)
            return gone
        }
        let marks = GoneMarks(connection)
        for container in below.containers.union([row]) { try marks.insert(container) }
        for (changed, table) in below.kept {
            guard
                case .integer(let bits)? = try RowEditor(catalog).value(
                    SystemColumn.state.sql,
                    of: changed,
                    in: table
                ), !RowState(rawValue: bits).contains(.created)
            else { continue }
            try marks.insert(changed)
            try RowEditor(catalog).changeState(of: changed, in: table, adding: .conflict)
            gone.conflicted.insert(changed)
        }
        return gone
    }

    /// The same for all rows of a table that meet a condition.
    package func removeGone(where condition: String, in table: TableLayout) throws -> GoneRows {
        try rows(in: table, where: condition).reduce(into: GoneRows()) { all, row in
            let one = try removeGone(row, in: table)
            all.removed += one.removed
            all.conflicted.formUnion(one.conflicted)
        }
    }

    /// Whether changes made here hang on what a row contains, at any depth.
    package func holdsChanges(_ row: Int64) throws -> Bool { try !changesBelow(row).kept.isEmpty }

    /// What is contained in a row and changed here, and what is between them.
    private func changesBelow(_ row: Int64) throws -> (
        kept: [(row: Int64, table: TableLayout)], containers: Set<Int64>
    ) {
        let contained = ContainedRows(connection, layout: layout)
        let rebuild = RowRebuild(connection, layout: layout)
        let kept = try contained.below(row).compactMap { below in
            layout[below.source].map { (row: below.row, table: $0) }
        }.filter { try !rebuild.state(of: $0.row, $0.table).isDisjoint(with: Self.kept) }
        let between = try kept.flatMap { changed in
            try contained.containers(of: changed.row).map(\.row).prefix { $0 != row }
        }
        return (kept, Set(between).subtracting(kept.map(\.row)))
    }

    /// Returns the rows of a table that meet a condition.
    package func rows(in table: TableLayout, where condition: String) throws -> [Int64] {
        var rows: [Int64] = []
        try connection.forEachRow("SELECT \"$id\" FROM \(table.sql) WHERE \(condition)") {
            rows.append($0.integer(0))
        }
        return rows
    }

    /// Removes rows with everything that hangs on them; answers how many entities went.
    @discardableResult
    func remove(where condition: String, in table: TableLayout) throws -> Int {
        try rows(in: table, where: condition).reduce(0) { try $0 + remove($1, in: table) }
    }

    /// Removes a row, what it contains, and its links; answers how many entities went.
    @discardableResult
    package func remove(_ row: Int64, in table: TableLayout) throws -> Int {
        let editor = RowEditor(catalog)
        var count = 1
        for child in try catalog.tables() where child.isContained {
            count += try remove(where: "\"$parent\" = \(row)", in: child)
        }
        try editor.removeLinks(of: row)
        try editor.delete(row, in: table)
        try StoreStreams(connection).remove(row: row)
        try connection.run("DELETE FROM \"$local\" WHERE \"row\" = ?1", [.integer(row)])
        try MemberRows(connection).remove(row: row)
        try EntityAddresses(connection).remove(row: row)
        for copies in [table.baseName, table.serverName] where try catalog.exists(copies) {
            try connection.run(
                "DELETE FROM \(copies.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
        }
        return count
    }
}
