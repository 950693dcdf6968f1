import ODataSQL
import ODataSQLite
import ODataTables
import StoreRecords

/// Entities of a query's own source that come inside of other entities: what is asked for there may be less.
extension StagedMerge {
    /// The rows that have come inside of other entities only; asked before an entity that came twice becomes one row.
    func comingInside(_ table: TableLayout) throws -> Set<Int64> {
        guard table.source == ownSource,
            QueryLead.all(of: query, in: schema).contains(where: { $0.target == ownSource })
        else { return [] }
        var rows: Set<Int64> = []
        try connection.forEachRow(
            """
            SELECT x."row" FROM \(staged("$map")) x JOIN \(staged(table.name)) s ON s."$id" = x."staged"
            GROUP BY x."row" HAVING min(x."staged" IN (
                SELECT "target" FROM \(staged("$links")) WHERE "target" IS NOT NULL)) = 1
            """
        ) { rows.insert($0.integer(0)) }
        return rows
    }
}
