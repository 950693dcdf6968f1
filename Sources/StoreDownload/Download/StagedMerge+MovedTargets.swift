import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues
import StoreRecords

/// What other queries reach by foreign keys that this query changes.
///
/// Their own deltas need not name it: when their turn comes, the foreign key has its new value already, and what it led to is not seen any
/// more.
extension StagedMerge {
    /// Where foreign keys of a table led to, by the query that expands them; asked before the staged rows are taken over.
    func movedTargets(_ table: TableLayout) throws -> [String: [FormerTarget]] {
        // The foreign key is one of this table.
        guard !layout.principals(of: table.source).isEmpty, try catalog.exists(table.name),
            try connection.integer(
                "SELECT 1 FROM \(staged("$map")) WHERE \"kind\" = \(Kind.known.rawValue) LIMIT 1"
            ) != nil
        else { return [:] }
        var moved: [String: [FormerTarget]] = [:]
        for other in try DefiningQueries(connection).all()
        where other.deltaLink != nil && other.slot != query.slot {
            for (index, lead) in QueryLead.all(of: other, in: schema).enumerated() {
                moved[other.name, default: []] += try targets(
                    ofMoved: lead,
                    at: index,
                    of: other,
                    in: table
                )
            }
        }
        return moved
    }

    private func targets(
        ofMoved lead: QueryLead,
        at index: Int,
        of other: DefiningQuery,
        in table: TableLayout
    ) throws -> [FormerTarget] {
        switch layout.relationship(lead.navigation, from: lead.source, to: lead.target) {
        case .dependent(let pairs) where lead.source == table.source:
            let rows = try changed(pairs.map(\.here), of: other, in: table)
            guard !rows.isEmpty, let target = layout[lead.target], try catalog.exists(target.name)
            else { return [] }
            return try TableQuery(connection, layout: layout)
                .targets(of: rows, by: lead.navigation, from: lead.source)
                .map { FormerTarget(lead: index, source: $0.source, target: $0.target) }
        case .principal(let pairs) where lead.target == table.source:
            return try changed(pairs.map(\.there), of: other, in: table)
                .map { FormerTarget(lead: index, source: 0, target: $0) }
        default: return []
        }
    }

    /// The known rows that a query holds and that come with other values in some columns.
    private func changed(_ columns: [Int], of other: DefiningQuery, in table: TableLayout) throws
        -> [Int64]
    {
        let differs = columns.map { "m.\(table.columns[$0].sql) IS NOT s.\(table.columns[$0].sql)" }
        var rows: [Int64] = []
        try connection.forEachRow(
            """
            SELECT DISTINCT x."row" FROM \(staged("$map")) x JOIN \(staged(table.name)) s ON s."$id" = x."staged"
            JOIN main.\(table.sql) m ON m."$id" = x."row"
            WHERE x."kind" = \(Kind.known.rawValue) AND \(other.holds("m.")) AND \(Self.anyOf(differs))
            """
        ) { rows.append($0.integer(0)) }
        return rows
    }

    /// Takes the query's mark from what nothing leads to any more, now that all queries are merged.
    func releaseMoved(_ former: [FormerTarget]) throws -> Result {
        var result = Result()
        try releaseOrphans(former, ended: [], into: &result)
        return result
    }
}
