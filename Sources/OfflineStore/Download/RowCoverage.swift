import ODataProtocol
package import ODataTables

/// Which rows the defining queries still hold, and the removal of those that none does.
package struct RowCoverage {
    let connection: SQLiteConnection
    let layout: Layout
    let catalog: TableCatalog

    /// Rows in one of these states are never removed by a download.
    static let kept: RowState = [.pending, .inError, .created]

    package init(_ connection: SQLiteConnection, _ layout: Layout) {
        self.connection = connection
        self.layout = layout
        catalog = TableCatalog(connection, layout)
    }

    /// Takes a query's mark from the rows of a table that meet a condition.
    func clear(_ query: DefiningQuery, in table: TableLayout, where condition: String = "1") throws
    {
        guard try isTable(table) else { return }
        for name in [table.name, table.baseName] where try catalog.exists(name) {
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
    func removeUncovered(
        in table: TableLayout,
        isComplete: Bool = false,
        where restriction: String = "1"
    ) throws -> Int {
        let rows = try uncovered(in: table, isComplete: isComplete, where: restriction)
        return try rows.reduce(0) { try $0 + remove($1, in: table) }
    }

    /// Returns the rows that no query holds, and that no local change keeps.
    func uncovered(
        in table: TableLayout,
        isComplete: Bool = false,
        where restriction: String = "1"
    ) throws -> [Int64] {
        guard try isTable(table), !table.isContained else { return [] }
        let kept = isComplete ? Self.kept : Self.kept.union(.local)
        var condition = """
            \(restriction) AND "$queries" = 0 AND "$state" & \(kept.rawValue) = 0
                AND "$id" NOT IN (SELECT "row" FROM "$refers")
            """
        // What is changed here keeps what contains it.
        for child in layout.orderedTables where child.isContained {
            guard try catalog.exists(child.name) else { continue }
            condition += """
                 AND "$id" NOT IN (SELECT "$parent" FROM \(child.sql)
                    WHERE "$parent" IS NOT NULL AND "$state" & \(Self.kept.rawValue) <> 0)
                """
        }
        return try rows(in: table, where: condition)
    }

    /// Returns the rows of a table that meet a condition.
    func rows(in table: TableLayout, where condition: String) throws -> [Int64] {
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
    func remove(_ row: Int64, in table: TableLayout) throws -> Int {
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

    func isTable(_ table: TableLayout) throws -> Bool {
        try !BuiltInSets.contains(table.source, in: layout.model) && catalog.exists(table.name)
    }
}
