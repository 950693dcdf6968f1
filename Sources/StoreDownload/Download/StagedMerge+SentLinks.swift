import StoreRecords
import StoreUpload
import ODataSQL
import ODataSQLite
import ODataValues
import ODataModel

/// Whether a delta reports the links that were uploaded from here.
extension StagedMerge {
    /// Whether the service has changed a link for the store and this delta does not mention it: another client may have changed it back.
    ///
    /// - Parameter changes: What the delta says of single relations.
    func omitsSentLinks(_ changes: [RelationChange]) throws -> Bool {
        try SentLinks(connection).all().contains { link in
            try leads.contains { try omits(link, lead: $0, changes: changes) }
        }
    }

    private func omits(_ link: RowLink, lead: QueryLead, changes: [RelationChange]) throws
        -> Bool
    {
        guard let (name, isReversed) = linkTable(lead.navigation), name == link.table else {
            return false
        }
        let (near, far) = isReversed ? (link.target, link.source) : (link.source, link.target)
        guard let here = layout[lead.source], let there = layout[lead.target],
            try isHeld(near, in: here),
            try RowRebuild(connection, layout: layout).has(far, in: there.name)
        else { return false }
        let isStated = changes.contains {
            $0.source.row == near && $0.navigation == lead.navigation
                && ($0.target == nil || $0.target?.row == far)
        }
        return try !isStated && !isExpanded(lead.navigation, near: near, far: far)
    }

    /// Whether a collection came as a whole, or with this entity in it.
    private func isExpanded(_ id: NavigationPropertyID, near: Int64, far: Int64) throws -> Bool {
        try connection.integer(
            """
            SELECT 1 FROM \(staged("$links")) l JOIN \(staged("$map")) x ON x."staged" = l."source"
            LEFT JOIN \(staged("$map")) y ON y."staged" = l."target"
            WHERE l."type" = \(id.type.index) AND l."navigation" = \(id.index) AND x."row" = ?1
                AND (l."target" IS NULL OR y."row" = ?2) LIMIT 1
            """,
            [.integer(near), .integer(far)]
        ) != nil
    }

    private func isHeld(_ row: Int64, in table: TableLayout) throws -> Bool {
        try !RowCoverage(connection, layout: layout)
            .rows(in: table, where: "\"$id\" = \(row) AND \(query.holds())").isEmpty
    }
}
