import ODataSQL
import StoreUpload
import ODataValues
import ODataSQLite
import ODataTables

/// Matches created entities of which the service has not returned the key with the rows of a download.
extension StagedMerge {
    /// Gives rows created here the key of the staged row with their values; before staged rows are matched with rows of the store by key.
    func settleUnreturnedKeys(_ table: TableLayout) throws {
        let created = try UnreturnedKeys(connection).all().filter { $0.table == table.name }.map(
            \.row
        )
        guard !created.isEmpty else { return }
        var open: [Int64] = []
        for row in created where try !confirm(row, in: table) { open.append(row) }
        // As many entities as rows: they are all alike, and any is as good as another.
        var found: [[Int64]: [Int64]] = [:]
        for row in open { found[try candidates(row, in: table), default: []].append(row) }
        for (staged, rows) in found where staged.count == rows.count {
            for (staged, row) in zip(staged, rows) { try settle(row, staged: staged, in: table) }
            open.removeAll(where: rows.contains)
        }
        for row in open { try settleLast(row, in: table) }
    }

    /// Gives a row the key of the one entity that is left beside it: what contains it is new, so all that is in that was created with it.
    private func settleLast(_ row: Int64, in table: TableLayout) throws {
        let keys = UnreturnedKeys(connection)
        guard try keys.siblings(of: row, in: table, layout: layout) == [],
            let parent = try RowEditor(catalog).heldParent(of: row, in: table)
        else { return }
        let key = table.keyColumns.map { "m.\(table.columns[$0].sql) = s.\(table.columns[$0].sql)" }
        let held = try catalog.versions(of: table).map {
            "SELECT 1 FROM main.\($0.sqlQuoted) m WHERE m.\"$parent\" = \(parent) AND "
                + key.joined(separator: " AND ")
        }
        var left: [Int64] = []
        let conditions = try container(of: row, table) + held.map { "NOT EXISTS (\($0))" }
        try connection.forEachRow(
            "SELECT s.\"$id\" FROM \(staged(table.name)) s WHERE \(conditions.joined(separator: " AND "))"
        ) { left.append($0.integer(0)) }
        guard left.count == 1, let staged = left.first else { return }
        try settle(row, staged: staged, in: table)
    }

    /// Whether the staged row with the key that was sent is the entity; where it is another one, the key is given up.
    private func confirm(_ row: Int64, in table: TableLayout) throws -> Bool {
        guard let key = try RowEditor(catalog).heldKey(of: row, in: table),
            let came = try stagedRow(key, of: row, in: table)
        else { return false }
        let sentValues = SentValues(connection, schema: schema)
        let known = try sentValues.sent(row, in: table).filter {
            !UnknownValue.isUnknown(came[$0.slot], in: table.columns[$0.slot])
        }
        let isSame =
            try known.isEmpty
            ? sentValues.isKnownByKey(table) : known.allSatisfy { came[$0.slot] == $0.value }
        guard try isSame || isContentOfNew(row, came, in: table) else {
            try KeyChange(connection, schema: schema).vacate(row, in: table)
            return false
        }
        try UnreturnedKeys(connection).remove(row)
        return true
    }

    /// Whether a row was created with what contains it, and the entity with its key has the values of no other that was.
    private func isContentOfNew(_ row: Int64, _ came: [Scalar], in table: TableLayout) throws
        -> Bool
    {
        let keys = UnreturnedKeys(connection)
        guard let siblings = try keys.siblings(of: row, in: table, layout: layout) else {
            return false
        }
        return try !siblings.contains { other in
            try SentValues(connection, schema: schema).sent(other, in: table).allSatisfy {
                came[$0.slot] == $0.value
            }
        }
    }

    private func stagedRow(_ key: [Scalar], of row: Int64, in table: TableLayout) throws
        -> [Scalar]?
    {
        let columns = table.columns.map { "s." + $0.sql }.joined(separator: ", ")
        let conditions = table.keyColumns.enumerated()
            .map { "s.\(table.columns[$1].sql) = ?\($0 + 1)" }
        let container = try container(of: row, table)
        return try connection.firstRow(
            "SELECT \(columns) FROM \(staged(table.name)) s WHERE "
                + (conditions + container).joined(separator: " AND "),
            key
        ) { statement in table.columns.indices.map { statement.scalar($0) } }
    }

    /// The condition that a staged row is below the row that contains a row.
    private func container(of row: Int64, _ table: TableLayout) throws -> [String] {
        guard table.isContained else { return [] }
        guard let id = try RowEditor(catalog).heldParent(of: row, in: table) else { return ["0"] }
        return [
            "(SELECT p.\"row\" FROM \(staged("$map")) p WHERE p.\"staged\" = s.\"$parent\") = \(id)"
        ]
    }

    /// Staged rows that have all values of a row, and whose key no row of the store has.
    private func candidates(_ row: Int64, in table: TableLayout) throws -> [Int64] {
        let sent = try SentValues(connection, schema: schema).sent(row, in: table)
        guard !sent.isEmpty else { return [] }
        let values = sent.enumerated().map { "s.\(table.columns[$1.slot].sql) = ?\($0 + 1)" }
        let key = table.keyColumns.map { "m.\(table.columns[$0].sql) = s.\(table.columns[$0].sql)" }
        let parent = table.isContained ? ["0"] : []
        let isNew =
            "NOT EXISTS (SELECT 1 FROM main.\(table.sql) m WHERE "
            + (key + parent).joined(separator: " AND ") + ")"
        let conditions = try values + [isNew] + container(of: row, table)
        var found: [Int64] = []
        try connection.forEachRow(
            "SELECT s.\"$id\" FROM \(staged(table.name)) s WHERE "
                + conditions.joined(separator: " AND ") + " ORDER BY s.\"$id\"",
            sent.map(\.value)
        ) { found.append($0.integer(0)) }
        return found
    }

    private func settle(_ row: Int64, staged: Int64, in table: TableLayout) throws {
        let columns = table.keyColumns.map { table.columns[$0].sql }.joined(separator: ", ")
        let key = try connection.firstRow(
            "SELECT \(columns) FROM \(self.staged(table.name)) WHERE \"$id\" = ?1",
            [.integer(staged)]
        ) { statement in table.keyColumns.indices.map { statement.scalar($0) } }
        if let key { try KeyChange(connection, schema: schema).settle(row, in: table, to: key) }
    }
}
