import ODataModel
import ODataProtocol
import ODataTables

/// What comes of links: those of expanded properties as a whole, those of deltas one by one.
extension StagedMerge {
    /// Links of expanded navigation properties: those that came are there, others of the same source go.
    func mergeLinks() throws {
        var seen: [(NavigationPropertyID, String, Bool)] = []
        try connection.forEachRow(
            "SELECT DISTINCT \"type\", \"navigation\" FROM \(staged("$links"))"
        ) { row in
            let id = NavigationPropertyID(
                type: StructuredTypeID(Int(row.integer(0))),
                index: Int(row.integer(1))
            )
            guard let (name, isReversed) = linkTable(id) else { return }
            seen.append((id, name, isReversed))
        }
        for (id, name, isReversed) in seen { try mergeLinks(id, name, isReversed) }
    }

    /// The link table of a navigation property, whichever source it is used from.
    func linkTable(_ id: NavigationPropertyID) -> (String, Bool)? {
        for table in layout.orderedTables
        where table.types.contains(id.type)
            || layout.model.type(table.entityType, isOrExtends: id.type)
        {
            let target = layout.model.target(of: id, from: table.source)
            if case .links(let name, let isReversed) = layout.relationship(
                id,
                from: table.source,
                to: target
            ) {
                return (name, isReversed)
            }
        }
        return nil
    }

    func mergeLinks(_ id: NavigationPropertyID, _ name: String, _ isReversed: Bool) throws {
        try catalog.ensureLinkTable(name)
        let (near, far) = isReversed ? ("target", "source") : ("source", "target")
        let ofProperty = "l.\"type\" = \(id.type.index) AND l.\"navigation\" = \(id.index)"
        try connection.execute(
            """
            DELETE FROM main.\(name.sqlQuoted) WHERE \(unchangedHere(name))
                AND "\(near)" IN (SELECT x."row" FROM \(staged("$links")) l
                    JOIN \(staged("$map")) x ON x."staged" = l."source"
                    WHERE \(ofProperty) AND l."target" IS NULL)
                AND NOT EXISTS (SELECT 1 FROM \(staged("$links")) l
                    JOIN \(staged("$map")) x ON x."staged" = l."source"
                    JOIN \(staged("$map")) y ON y."staged" = l."target"
                    WHERE \(ofProperty) AND x."row" = \(name.sqlQuoted)."\(near)"
                        AND y."row" = \(name.sqlQuoted)."\(far)")
            """
        )
        try connection.execute(
            """
            INSERT OR IGNORE INTO main.\(name.sqlQuoted) ("\(near)", "\(far)")
            SELECT x."row", y."row" FROM \(staged("$links")) l
            JOIN \(staged("$map")) x ON x."staged" = l."source" JOIN \(staged("$map")) y ON y."staged" = l."target"
            WHERE \(ofProperty) AND NOT EXISTS (
                SELECT 1 FROM main."$baselink" k WHERE k."table" = \(name.sqlText)
                    AND k."\(near)" = x."row" AND k."\(far)" = y."row")
            """
        )
        // Of links with local changes the download only tells whether the service has them.
        try connection.execute(
            """
            UPDATE main."$baselink" AS k SET "isThere" = EXISTS (
                SELECT 1 FROM \(staged("$links")) l
                JOIN \(staged("$map")) x ON x."staged" = l."source"
                JOIN \(staged("$map")) y ON y."staged" = l."target"
                WHERE \(ofProperty) AND x."row" = k."\(near)" AND y."row" = k."\(far)")
            WHERE k."table" = \(name.sqlText) AND k."\(near)" IN (
                SELECT x."row" FROM \(staged("$links")) l
                JOIN \(staged("$map")) x ON x."staged" = l."source"
                WHERE \(ofProperty) AND l."target" IS NULL)
            """
        )
    }

    /// The condition that no waiting request changes a link.
    func unchangedHere(_ name: String) -> String {
        let link = name.sqlQuoted
        return """
            NOT EXISTS (SELECT 1 FROM main."$baselink" k WHERE k."table" = \(name.sqlText)
                AND k."source" = \(link)."source" AND k."target" = \(link)."target")
            """
    }

    /// Links that a delta payload adds or removes, in its order.
    func mergeLinkChanges(_ former: inout [FormerTarget]) throws {
        var changes: [LinkChange] = []
        try connection.forEachRow(
            "SELECT \"isAdded\", \"source\", \"relationship\", \"target\" FROM \(staged("$linkchange")) ORDER BY \"sequence\""
        ) { row in
            changes.append(
                LinkChange(
                    isAdded: row.integer(0) != 0,
                    source: row.string(1),
                    relationship: row.string(2),
                    target: row.optionalString(3)
                )
            )
        }
        let rows = RowEditor(catalog)
        for change in changes {
            guard let source = try row(change.source), let type = layout[source.source]?.entityType,
                let id = layout.model.navigationProperty(change.relationship, of: type),
                let (name, isReversed) = linkTable(id)
            else { continue }
            let target = try change.target.flatMap { try row($0) }
            // A link to what the store does not have is none here; one without target means whatever is linked.
            if change.target != nil, target == nil { continue }
            if !change.isAdded {
                former += try formerTargets(of: [source.row], in: source.source)
                    .filter { $0.target == target?.row }
            }
            if let target, try takeBase(change, source.row, target.row, name, isReversed) {
                continue
            }
            if !change.isAdded {
                try rows.unlink(source.row, target?.row, table: name, isReversed: isReversed)
            } else if let target {
                try rows.link(source.row, target.row, table: name, isReversed: isReversed)
            }
        }
    }

    /// Notes what the service did to a link that is changed here too; answers whether it is.
    func takeBase(
        _ change: LinkChange,
        _ source: Int64,
        _ target: Int64,
        _ name: String,
        _ isReversed: Bool
    ) throws -> Bool {
        let (first, second) = isReversed ? (target, source) : (source, target)
        let link = RowLink(table: name, source: first, target: second)
        let journal = EffectJournal(connection)
        guard try journal.base(of: link) != nil else { return false }
        try journal.setBase(of: link, isThere: change.isAdded)
        return true
    }
}
