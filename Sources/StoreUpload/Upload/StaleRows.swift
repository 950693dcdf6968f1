import StoreRecords
import ODataSQL
import ODataSQLite
import ODataValues
import ODataTables

/// Rows whose ETag may be another one by now: a request has changed them, and its answer was about something else.
///
/// Such are the two ends of a link, an entity whose stream was replaced, and entities in which the service has set or cleared a
/// foreign key.
struct StaleRows {
    private let rows: RowEditor

    init(_ rows: RowEditor) { self.rows = rows }

    /// Notes that the ETags of what a request has changed are to be read before they are sent.
    ///
    /// - Parameter answered: The row whose ETag is in the answer.
    func note(_ effects: [ChangeEffect], besides answered: Int64?) throws {
        for item in changedRows(effects) where item.row != answered {
            if let table = rows.layout.table(named: item.table) { try note(item.row, in: table) }
        }
        for link in Set(effects.compactMap(\.link)) {
            for row in [link.source, link.target] where row != answered { try note(row) }
        }
    }

    /// Notes that the ETags of some rows are to be read before they are sent.
    func note(_ changed: [Int64]) throws {
        for row in changed { try note(row) }
    }

    /// Rows that were there before and are there still, each once however much of it has changed.
    private func changedRows(_ effects: [ChangeEffect]) -> Set<ChangedRow> {
        Set(effects.filter { !$0.isInsertion && !$0.isDeletion }.compactMap(\.row))
    }

    /// Row ids are unique over all tables.
    private func note(_ row: Int64) throws {
        for table in try rows.catalog.tables() { try note(row, in: table) }
    }

    func note(_ row: Int64, in table: TableLayout) throws {
        for name in [table.name, table.baseName, table.serverName]
        where try rows.catalog.exists(name) {
            try rows.connection.run(
                """
                UPDATE \(name.sqlQuoted) SET "$etag" = ?2 WHERE "$id" = ?1 AND "$etag" IS NOT NULL
                """,
                [.integer(row), .text(ETagState.stale)]
            )
        }
    }
}
