import StoreRecords
import ODataSQL
import ODataSQLite
import ODataModel
import ODataTables

/// Merges links: those of expanded properties as a whole, those of deltas one by one.
extension StagedMerge {
    /// Links of expanded navigation properties: those that came are there, others of the same source go.
    ///
    /// A query that asks for a part of them says nothing of the rest, as far as other queries bring it.
    func mergeLinks() throws {
        let shared = try sharedProperties()
        for id in try linkedProperties() {
            guard let (name, isReversed) = linkTable(id) else { continue }
            try catalog.ensureLinkTable(name)
            if !shared.contains(id) { try endLinks(id, named: name, isReversed: isReversed) }
            try mergeLinks(id, named: name, isReversed: isReversed)
            try replaceTheirs(id, named: name, isReversed: isReversed)
        }
    }

    /// Navigation properties of which this query asks for a part, and another one too, or this one from their other ends.
    func sharedProperties() throws -> Set<NavigationPropertyID> {
        let own = QuerySelection.expanded(by: query, onlyRestricted: true, in: schema)
        guard !own.isEmpty else { return [] }
        let others = try DefiningQueries(connection).all().filter { $0.slot != query.slot }
            .reduce(into: Set<NavigationPropertyID>()) {
                $0.formUnion(QuerySelection.expanded(by: $1, onlyRestricted: false, in: schema))
            }
        let whole = QuerySelection.expanded(by: query, onlyRestricted: false, in: schema)
            .subtracting(own)
        return own.filter { id in
            guard !others.contains(id), let partner = layout.partner(of: id) else {
                return others.contains(id)
            }
            return others.contains(partner) || whole.contains(partner)
        }
    }

    /// Navigation properties of which something came inside of entities.
    func linkedProperties() throws -> [NavigationPropertyID] {
        var found: [NavigationPropertyID] = []
        try connection.forEachRow(
            "SELECT DISTINCT \"type\", \"navigation\" FROM \(staged("$links"))"
        ) { found.append(NavigationPropertyID($0, at: 0)) }
        return found
    }

    /// The link table of a navigation property, whichever source it is used from.
    func linkTable(_ id: NavigationPropertyID) -> (String, Bool)? {
        for table in tables(with: id) {
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

    /// Ends the links that a collection did not bring which came as a whole.
    private func endLinks(_ id: NavigationPropertyID, named name: String, isReversed: Bool) throws {
        let (near, far) = isReversed ? ("target", "source") : ("source", "target")
        let ofProperty = "l.\"type\" = \(id.type.index) AND l.\"navigation\" = \(id.index)"
        try connection.execute(
            """
            DELETE FROM main.\(name.sqlQuoted) WHERE \(RowLink.isUnchanged(in: name))
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
        linkCount.value += connection.changedRowCount
        // For links with local changes the download only decides whether the service has them.
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

    /// Makes the links that came.
    func mergeLinks(_ id: NavigationPropertyID, named name: String, isReversed: Bool) throws {
        let (near, far) = isReversed ? ("target", "source") : ("source", "target")
        let ofProperty = "l.\"type\" = \(id.type.index) AND l.\"navigation\" = \(id.index)"
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
        linkCount.value += connection.changedRowCount
        // What a nested delta adds exists, although the collection was not downloaded as a whole.
        try connection.execute(
            """
            UPDATE main."$baselink" AS k SET "isThere" = 1
            WHERE k."table" = \(name.sqlText) AND EXISTS (
                SELECT 1 FROM \(staged("$links")) l
                JOIN \(staged("$map")) x ON x."staged" = l."source"
                JOIN \(staged("$map")) y ON y."staged" = l."target"
                WHERE \(ofProperty) AND x."row" = k."\(near)" AND y."row" = k."\(far)")
            """
        )
    }
}
