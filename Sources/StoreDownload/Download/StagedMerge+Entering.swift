import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues
import StoreRecords

/// Known entities that come into the result of a query.
extension StagedMerge {
    /// Whether a delta is silent about links of an entity that the query has not held until now.
    ///
    /// Such links are from before the entity left the result, or from another query. A delta states those that there are; it need not say
    /// which ended meanwhile, since they were none of the result's. Asked before the staged rows get the query's mark.
    func hasUnclearLinks(_ table: TableLayout) throws -> Bool {
        try leads.contains { lead in
            guard lead.source == table.source, let (name, isReversed) = linkTable(lead.navigation),
                try catalog.exists(name)
            else { return false }
            let near = isReversed ? "target" : "source"
            let ofProperty = """
                l."type" = \(lead.navigation.type.index) AND l."navigation" = \(lead.navigation.index)
                """
            return try connection.integer(
                """
                SELECT 1 FROM \(staged("$map")) x JOIN main.\(table.sql) m ON m."$id" = x."row"
                WHERE x."kind" = \(Kind.known.rawValue) AND NOT (\(query.holds("m.")))
                    AND m."$state" & \(RowState.local.rawValue) = 0
                    AND EXISTS (SELECT 1 FROM main.\(name.sqlQuoted) k WHERE k."\(near)" = x."row")
                    AND NOT EXISTS (SELECT 1 FROM \(staged("$links")) l
                        WHERE \(ofProperty) AND l."source" = x."staged" AND l."target" IS NULL)
                LIMIT 1
                """
            ) != nil
        }
    }

    /// Whether a delta is silent about contained entities that were sent from here: another client may have deleted them since.
    ///
    /// What came and went between two deltas is in none of them (OData 4.01 Part 1 § 11.3). Asked when what came has the query's mark.
    func omitsSentContents() throws -> Bool {
        try leads.contains { lead in
            guard case .contained = lead.target, let table = layout[lead.target],
                let container = layout[lead.source], try catalog.exists(table.name),
                try catalog.exists(container.name)
            else { return false }
            return try connection.integer(
                """
                SELECT 1 FROM main."$unseen" u JOIN main.\(table.sql) c ON c."$id" = u."row"
                WHERE u."table" = ?1 AND NOT (\(query.holds("c.")))
                    AND c."$state" & \(RowState.waiting.rawValue) = 0 AND c."$parent" IN (
                        SELECT p."$id" FROM main.\(container.sql) p WHERE \(query.holds("p.")))
                LIMIT 1
                """,
                [.text(table.name)]
            ) != nil
        }
    }
}
