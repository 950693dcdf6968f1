import ODataSQL
import ODataSQLite
import StoreRecords
import ODataTables
import ODataValues

/// Waiting requests that take entities away from one that is deleted behind them: by another foreign key, by a link, by a deletion.
///
/// The deletion goes after them. Before them it would take these entities along, or be refused for their sake
/// (OData 4.01 Part 1 § 11.4.5).
struct FormerDependents {
    private let rows: RowEditor
    private var connection: SQLiteConnection { rows.connection }

    init(_ rows: RowEditor) { self.rows = rows }

    /// Returns the requests that go before a change with these effects.
    func requests(before effects: [ChangeEffect]) throws -> [Int64] {
        var found: Set<Int64> = []
        let tables = try rows.catalog.tables()
        for case .deleted(let name, let row) in effects {
            guard let table = rows.layout.table(named: name) else { continue }
            found.formUnion(try linking(row))
            guard try rows.catalog.exists(table.baseName),
                let values = try rows.values(of: row, in: table, named: table.baseName)
            else { continue }
            for other in tables {
                for relation in rows.layout.principals(of: other.source)
                where relation.target == table.source {
                    found.formUnion(try moving(other, relation, from: values))
                }
            }
        }
        return found.sorted()
    }

    /// The requests that end links of a row, but for deletions of their other ends.
    private func linking(_ row: Int64) throws -> [Int64] {
        try ids(
            """
            SELECT DISTINCT e."request" FROM "$effect" e WHERE (e."row" = ?1 OR e."target" = ?1)
                AND e."kind" = \(EffectJournal.Kind.unlinked.rawValue)
                AND NOT EXISTS (SELECT 1 FROM "$effect" d WHERE d."request" = e."request"
                    AND d."kind" = \(EffectJournal.Kind.deleted.rawValue))
            """,
            [.integer(row)]
        )
    }

    /// The requests that delete rows of a table, or give foreign keys other values, which have led to a principal: for the service, or
    /// by a request that waits.
    private func moving(
        _ table: TableLayout,
        _ relation: PrincipalRelation,
        from held: [Scalar]
    ) throws -> [Int64] {
        let values = relation.pairs.map { held[$0.there] }
        let columns = relation.pairs.map { table.columns[$0.here] }
        guard let first = columns.first, !values.contains(.null) else { return [] }
        var former = """
            SELECT e."row" FROM "$effect" e WHERE e."kind" = \(EffectJournal.Kind.set.rawValue)
                AND e."table" = \(table.name.sqlText) AND e."column" = \(first.name.sqlText)
                AND e."value" = ?1
            """
        // Only what is changed here has a base copy.
        if try rows.catalog.exists(table.baseName) {
            let terms = columns.enumerated().map { "b.\($1.sql) = ?\($0 + 1)" }
            former += """
                 UNION SELECT b."$id" FROM \(table.baseName.sqlQuoted) b
                WHERE \(terms.joined(separator: " AND "))
                """
        }
        // What gives an entity to the principal takes nothing away from it.
        let others = columns.enumerated().map {
            "e.\"column\" = \($1.name.sqlText) AND e.\"value\" IS NOT ?\($0 + 1)"
        }
        return try ids(
            """
            SELECT DISTINCT e."request" FROM "$effect" e
            WHERE e."row" IN (\(former)) AND e."table" = \(table.name.sqlText) AND e."target" IS NULL
                AND (e."kind" = \(EffectJournal.Kind.deleted.rawValue)
                    OR e."kind" = \(EffectJournal.Kind.set.rawValue) AND (\(others.joined(separator: " OR "))))
            """,
            values
        )
    }

    private func ids(_ sql: String, _ values: [Scalar]) throws -> [Int64] {
        var found: [Int64] = []
        try connection.forEachRow(sql, values) { found.append($0.integer(0)) }
        return found
    }
}
