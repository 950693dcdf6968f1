import ODataSQL
import ODataSQLite
import StoreRecords
import ODataValues
import ODataTables

/// Changes from here of the entities that an entity is related to.
///
/// Many services keep one version, and the time of the last change, for a whole document: a change of an item moves the ETag and the
/// time of its order as well. So the order is another version by now, and no other client has changed it.
struct RelatedWork {
    private let rows: RowEditor
    private let unseen: UnseenRows

    init(_ rows: RowEditor) {
        self.rows = rows
        unseen = UnseenRows(connection: rows.connection, catalog: rows.catalog)
    }

    /// Remembers what a row is related to that is deleted.
    func noteDeletion(of row: Int64, in table: TableLayout, others: [Int64]) throws {
        try unseen.noteNear(above(row, in: table, others: others))
    }

    /// Whether the service has taken a change of a related entity that no download has brought back yet.
    func concerns(_ row: Int64, in table: TableLayout) throws -> Bool {
        if try unseen.isNear(row) { return true }
        let tables = try unseen.notedTables()
        guard !tables.isEmpty else { return false }
        let above = try above(row, in: table, others: RelatedRows(rows).others(of: row, table))
        if try above.contains(where: unseen.contains) { return true }
        guard let values = try rows.heldValues(of: row, in: table) else { return false }
        return try tables.contains { other in
            try other.isContained && hasContent(of: row, in: other)
                || hasDependent(of: values, in: other, from: table)
        }
    }

    /// What a row belongs to: the row that contains it, besides those that it is related to.
    private func above(_ row: Int64, in table: TableLayout, others: [Int64]) throws -> [Int64] {
        guard let parent = try rows.heldParent(of: row, in: table) else { return others }
        return others + [parent]
    }

    /// Whether a row contains one of the rows.
    private func hasContent(of row: Int64, in other: TableLayout) throws -> Bool {
        try isAny(in: other, where: "o.\(SystemColumn.parent.sql) = ?1", [.integer(row)])
    }

    /// Whether one of the rows holds the key of a row of a table with these values.
    private func hasDependent(
        of values: [Scalar],
        in other: TableLayout,
        from table: TableLayout
    ) throws -> Bool {
        try rows.layout.principals(of: other.source).contains { relation in
            guard relation.target == table.source else { return false }
            let conditions = relation.pairs.enumerated().map { position, pair in
                "o.\(other.columns[pair.here].sql) = ?\(position + 1)"
            }
            return try isAny(
                in: other,
                where: conditions.joined(separator: " AND "),
                relation.pairs.map { values[$0.there] }
            )
        }
    }

    private func isAny(in other: TableLayout, where condition: String, _ values: [Scalar]) throws
        -> Bool
    {
        guard try rows.catalog.exists(other.name) else { return false }
        return try rows.connection.integer(
            """
            SELECT 1 FROM "$unseen" u JOIN \(other.sql) o ON o."$id" = u."row" WHERE \(condition) LIMIT 1
            """,
            values
        ) != nil
    }
}
