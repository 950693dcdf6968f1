import ODataSQLite
import ODataValues
import ODataSQL
import StoreRecords
import ODataTables

/// Makes one row of two that are the same entity: one created here, the other brought by a download with the key that the service
/// has given.
struct DuplicateRow {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Another row with the key that a row gets.
    func duplicate(of row: Int64, key: [Scalar], in table: TableLayout) throws -> Int64? {
        let parent = try rows.heldParent(of: row, in: table)
        // What is contained is found below its parent alone.
        guard !table.isContained || parent != nil,
            let duplicate = try rows.row(withKey: key, in: table, parent: parent), duplicate != row
        else { return nil }
        return duplicate
    }

    /// Whether a row was created here itself, and has no answer yet.
    func isUnanswered(_ row: Int64, in table: TableLayout) throws -> Bool {
        guard
            case .integer(let bits)? = try rows.value(SystemColumn.state.sql, of: row, in: table)
        else { return false }
        return RowState(rawValue: bits).contains(.created)
    }

    /// The older local id stays, the other row goes.
    func merge(_ duplicate: Int64, into row: Int64, in table: TableLayout) throws {
        // The query that brought the other holds the row; the collections that it had joined go on holding it.
        let queries =
            try queries(of: duplicate, table) | queries(of: row, table)
            & DefiningQueries.memberBit
        try moveLinks(from: duplicate, to: row)
        try moveChildren(from: duplicate, to: row)
        let hasChanges = try moveRequests(from: duplicate, to: row, table)
        try MemberRows(connection).move(duplicate, to: row)
        try EntityAddresses(connection).move(duplicate, to: row)
        try RowCoverage(connection, layout: schema.layout).remove(duplicate, in: table)
        // What is deleted here meanwhile has only its copy; it is the query's when it comes back.
        for name in try rows.catalog.versions(of: table) {
            try connection.run(
                "UPDATE \(name.sqlQuoted) SET \(SystemColumn.queries.sql) = ?2 WHERE \"$id\" = ?1",
                [.integer(row), .integer(queries)]
            )
        }
        guard hasChanges else { return }
        try RowRebuild(connection, layout: schema.layout).rebuild(
            [ChangedRow(table: table.name, row: row)],
            links: []
        )
    }

    private func queries(of row: Int64, _ table: TableLayout) throws -> Int64 {
        guard
            case .integer(let bits)? = try rows.value(SystemColumn.queries.sql, of: row, in: table)
        else { return 0 }
        return bits
    }

    private func moveLinks(from duplicate: Int64, to row: Int64) throws {
        for name in try rows.catalog.linkTables() {
            for end in ["source", "target"] {
                try connection.run(
                    "UPDATE OR IGNORE \(name.sqlQuoted) SET \"\(end)\" = ?2 WHERE \"\(end)\" = ?1",
                    [.integer(duplicate), .integer(row)]
                )
            }
        }
    }

    /// Moves contained entities to the row; one whose key exists there already is the same entity.
    private func moveChildren(from duplicate: Int64, to row: Int64) throws {
        for child in try rows.catalog.tables() where child.isContained {
            try connection.run(
                "UPDATE OR IGNORE \(child.sql) SET \"$parent\" = ?2 WHERE \"$parent\" = ?1",
                [.integer(duplicate), .integer(row)]
            )
        }
    }

    /// Moves what waits on the other row; returns whether anything did.
    private func moveRequests(from duplicate: Int64, to row: Int64, _ table: TableLayout) throws
        -> Bool
    {
        guard try !EffectJournal(connection).requests(on: duplicate).isEmpty else { return false }
        let pair: [Scalar] = [.integer(duplicate), .integer(row)]
        for (name, column) in [
            ("$queue", "row"), ("$refers", "row"), ("$effect", "row"), ("$effect", "target"),
            ("$baselink", "source"), ("$baselink", "target"),
            (table.baseName, "$id"), (table.serverName, "$id"),
        ] where try rows.catalog.exists(name) {
            try connection.run(
                """
                UPDATE OR IGNORE \(name.sqlQuoted) SET \(column.sqlQuoted) = ?2 WHERE \(column.sqlQuoted) = ?1
                """,
                pair
            )
        }
        return true
    }
}
