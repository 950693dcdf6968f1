import ODataSQL
import StoreRecords
import ODataSQLite
import ODataValues
import ODataPayload
import ODataModel
import ODataTables

/// What an entity leaves behind that was deleted and created again with its key: the new one has none of it.
extension StagedMerge {
    /// Ends the links and removes the contained entities that the deleted one had, except those received after the tombstone.
    func removeFormerSelf(
        of entity: RowReference,
        after sequence: Int64,
        _ result: inout Result
    ) throws {
        try endLinks(of: entity.row, in: catalog.linkTables(), after: sequence)
        for below in try ContainedRows(connection, layout: layout).below(entity.row) {
            guard let table = layout[below.source],
                try RowRebuild(connection, layout: layout).has(below.row, in: table.name),
                try !cameLater(below.row, than: sequence), try !isShownEarlier(below.row)
            else { continue }
            try remove(
                RowReference(source: below.source, row: below.row),
                in: table,
                reason: .deleted,
                into: &result
            )
        }
    }

    /// Ends the links that this query's properties made to an entity, which another query of the download shows as a new one.
    func endLeads(to entity: RowReference, after sequence: Int64) throws {
        let names = leads.filter { $0.target == entity.source }
            .compactMap { linkTable($0.navigation)?.0 }
        try endLinks(of: entity.row, in: Set(names).sorted(), after: sequence)
    }

    private func endLinks(of row: Int64, in names: [String], after sequence: Int64) throws {
        let kept = try shownLinks(of: row, after: sequence)
        let journal = EffectJournal(connection)
        for name in names where try catalog.exists(name) {
            for link in try links(of: row, in: name) where !kept.contains(link) {
                // Of a link that is changed here only what the service has of it ends.
                guard try journal.base(of: link) == nil else {
                    try journal.setBase(of: link, isThere: false)
                    continue
                }
                try connection.run(
                    "DELETE FROM main.\(name.sqlQuoted) WHERE \"source\" = ?1 AND \"target\" = ?2",
                    [.integer(link.source), .integer(link.target)]
                )
            }
        }
    }

    /// The links of a row, and those that are hidden here.
    private func links(of row: Int64, in name: String) throws -> Set<RowLink> {
        var links: Set<RowLink> = []
        for (table, isInTable) in [(name.sqlQuoted, "1"), ("\"$baselink\"", "\"table\" = ?2")] {
            try connection.forEachRow(
                """
                SELECT "source", "target" FROM main.\(table)
                WHERE ("source" = ?1 OR "target" = ?1) AND \(isInTable) AND ?2 IS NOT NULL
                """,
                [.integer(row), .text(name)]
            ) { links.insert(RowLink(table: name, source: $0.integer(0), target: $0.integer(1))) }
        }
        return links
    }

    /// The links of a row that came after its tombstone, or with another query of the same download.
    private func shownLinks(of row: Int64, after sequence: Int64) throws -> Set<RowLink> {
        var shown: Set<RowLink> = []
        for (other, start) in [(query, sequence)] + earlier.map({ ($0, 0) }) {
            let map = Self.staged("$map", query: other)
            try connection.forEachRow(
                """
                SELECT l."type", l."navigation", x."row", y."row" FROM \(Self.staged("$links", query: other)) l
                JOIN \(map) x ON x."staged" = l."source" JOIN \(map) y ON y."staged" = l."target"
                WHERE (x."row" = ?1 OR y."row" = ?1) AND max(l."source", l."target") > ?2
                """,
                [.integer(row), .integer(start)]
            ) { found in
                let id = NavigationPropertyID(found, at: 0)
                guard let (name, isReversed) = linkTable(id) else { return }
                let (near, far) = (found.integer(2), found.integer(3))
                let (source, target) = isReversed ? (far, near) : (near, far)
                shown.insert(RowLink(table: name, source: source, target: target))
            }
        }
        return shown
    }
}
