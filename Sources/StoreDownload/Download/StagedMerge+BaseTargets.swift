import StoreRecords
import ODataValues
import ODataSQLite
import ODataSQL
import ODataModel
import ODataTables

/// Relations as the service has them, where changes that wait here hide them: of an entity that is deleted or moved, only its copy
/// still says where it belongs.
extension StagedMerge {
    /// Where a property leads to from some rows, by the copies of changed rows and links.
    func baseTargets(of rows: [Int64], by lead: QueryLead) throws -> [(
        source: Int64, target: Int64
    )] {
        let near = "IN (SELECT value FROM json_each(?1))"
        var found: [(Int64, Int64)] = []
        for relation in try baseRelations(lead) {
            let sql = """
                SELECT \(relation.source), \(relation.target) FROM \(relation.tables)
                WHERE \(relation.source) \(near)
                """
            try connection.forEachRow(sql, [TableQuery.list(rows)]) {
                found.append(($0.integer(0), $0.integer(1)))
            }
        }
        return found
    }

    /// Whether a row that the query holds leads to a row by such a copy, besides some that do not count.
    func hasBaseOwner(_ row: Int64, by lead: QueryLead, besides excluded: Set<Int64>) throws -> Bool
    {
        for relation in try baseRelations(lead) {
            var owners: [Int64] = []
            try connection.forEachRow(
                "SELECT \(relation.source) FROM \(relation.tables) WHERE \(relation.target) = ?1",
                [.integer(row)]
            ) { owners.append($0.integer(0)) }
            for owner in owners where !excluded.contains(owner) {
                if try isHeldByQuery(owner, in: lead.source) { return true }
            }
        }
        return false
    }

    /// A relation in SQL: the tables, and the columns with the rows at both ends.
    private struct BaseRelation {
        var tables: String
        var source: String
        var target: String
    }

    private func baseRelations(_ lead: QueryLead) throws -> [BaseRelation] {
        guard let source = layout[lead.source], let target = layout[lead.target] else { return [] }
        switch layout.relationship(lead.navigation, from: lead.source, to: lead.target) {
        case .links(let name, let isReversed):
            let (near, far) = isReversed ? ("target", "source") : ("source", "target")
            let tables = """
                (SELECT * FROM main."$baselink"
                    WHERE "table" = \(name.sqlText) AND "isThere" <> 0) AS k
                """
            return [BaseRelation(tables: tables, source: "k.\"\(near)\"", target: "k.\"\(far)\"")]
        case .dependent(let pairs), .principal(let pairs):
            return try copies(source, to: target).map { ends in
                let equal = pairs.map {
                    "s.\(source.columns[$0.here].sql) = t.\(target.columns[$0.there].sql)"
                }.joined(separator: " AND ")
                return BaseRelation(
                    tables:
                        "main.\(ends.0.sqlQuoted) AS s JOIN main.\(ends.1.sqlQuoted) AS t ON \(equal)",
                    source: "s.\"$id\"",
                    target: "t.\"$id\""
                )
            }
        case .contained:
            // Below an entity that is deleted here only copies are left.
            guard try catalog.exists(target.baseName) else { return [] }
            let tables = "main.\(target.baseName.sqlQuoted) AS t"
            return [BaseRelation(tables: tables, source: "t.\"$parent\"", target: "t.\"$id\"")]
        case .unbound: return []
        }
    }

    /// The tables of both ends, of which at least one holds copies.
    private func copies(_ source: TableLayout, to target: TableLayout) throws -> [(String, String)]
    {
        let all = [
            (source.name, target.baseName), (source.baseName, target.name),
            (source.baseName, target.baseName),
        ]
        return try all.filter { try catalog.exists($0.0) && catalog.exists($0.1) }
    }

    private func isHeldByQuery(_ row: Int64, in source: NavigationSource) throws -> Bool {
        guard let table = layout[source] else { return false }
        return try [table.name, table.baseName].contains { name in
            guard try catalog.exists(name) else { return false }
            return try connection.integer(
                "SELECT 1 FROM main.\(name.sqlQuoted) AS h WHERE h.\"$id\" = ?1 AND \(query.holds("h."))",
                [.integer(row)]
            ) != nil
        }
    }
}
