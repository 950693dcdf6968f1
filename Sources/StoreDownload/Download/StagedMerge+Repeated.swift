import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues
import StoreRecords

/// Entities that come several times in one answer: a delta may tell of one again, and rows move between the pages of a read that is
/// under way.
extension StagedMerge {
    /// A link of an earlier version of an entity, by staged rows.
    struct FormerLink {
        var navigation: NavigationPropertyID
        var source: Int64
        var target: Int64
    }

    /// Whether an entity of a table has come more than once.
    func isAnyRepeated(_ table: TableLayout) throws -> Bool {
        try connection.integer(
            """
            SELECT 1 FROM \(staged("$map")) o JOIN \(staged("$map")) x
                ON x."row" = o."row" AND x."staged" > o."staged"
            JOIN \(staged(table.name)) s ON s."$id" = o."staged" LIMIT 1
            """
        ) != nil
    }

    /// Drops what earlier versions of the query's own entities lead to by properties that a later version brings as a whole.
    ///
    /// At other places of the answer an entity may be asked for in another part, which says nothing of this one.
    ///
    /// - Returns: The links that were dropped.
    func dropFormerLinks(_ table: TableLayout) throws -> [FormerLink] {
        guard table.source == ownSource else { return [] }
        try makeIndexes()
        let links = try formerValues(table).flatMap { source, navigation in
            try dropLinks(of: source, by: navigation)
        }
        try drop(links.map(\.target))
        return links
    }

    private func makeIndexes() throws {
        let columns = [("$links", "source"), ("$links", "target"), ("$linkchange", "parent")]
        for (table, column) in columns {
            try connection.execute(
                """
                CREATE INDEX IF NOT EXISTS \(staged("\(table):\(column)"))
                ON \(StagingFile.name(of: table, query: query).sqlQuoted) ("\(column)")
                """
            )
        }
    }

    /// The properties of staged rows that a later version of the same entity brings as a whole.
    private func formerValues(
        _ table: TableLayout
    ) throws -> [(source: Int64, navigation: NavigationPropertyID)] {
        var values: [(Int64, NavigationPropertyID)] = []
        try connection.forEachRow(
            """
            WITH own AS MATERIALIZED (
                SELECT x."staged", x."row" FROM \(staged("$map")) x
                JOIN \(staged(table.name)) s ON s."$id" = x."staged"
                WHERE x."row" IN (SELECT "row" FROM \(staged("$map")) GROUP BY "row" HAVING count(*) > 1)
                    AND NOT EXISTS (SELECT 1 FROM \(staged("$links")) l WHERE l."target" = x."staged")),
            whole AS MATERIALIZED (
                SELECT o."row", l."type", l."navigation", max(o."staged") AS "last"
                FROM own o JOIN \(staged("$links")) l ON l."source" = o."staged"
                WHERE l."target" IS NULL GROUP BY 1, 2, 3)
            SELECT o."staged", w."type", w."navigation"
            FROM whole w JOIN own o ON o."row" = w."row" AND o."staged" < w."last"
            """
        ) { values.append(($0.integer(0), NavigationPropertyID($0, at: 1))) }
        return values
    }

    /// Drops the links and changes of links that a staged row states by a property.
    private func dropLinks(of source: Int64, by navigation: NavigationPropertyID) throws
        -> [FormerLink]
    {
        let ofProperty =
            "\"type\" = \(navigation.type.index) AND \"navigation\" = \(navigation.index)"
        try connection.run(
            "DELETE FROM \(staged("$linkchange")) WHERE \"parent\" = ?1 AND \(ofProperty)",
            [.integer(source)]
        )
        return try numbers(
            """
            DELETE FROM \(staged("$links")) WHERE "source" = ?1 AND \(ofProperty) AND "target" IS NOT NULL
            RETURNING "target"
            """,
            [.integer(source)]
        ).map { FormerLink(navigation: navigation, source: source, target: $0) }
    }

    /// Drops staged rows and what they contain.
    ///
    /// In a full read other entities are dropped too: what is left of the answer does not lead to them. What a delta says of an entity
    /// is true wherever it stands.
    private func drop(_ rows: [Int64]) throws {
        var rows = rows
        while !rows.isEmpty {
            let dropped = try stagedTables().filter { $0.isContained || !isDelta }.flatMap {
                table in
                try numbers(
                    "DELETE FROM \(staged(table.name)) WHERE \"$id\" \(Self.isListed) RETURNING \"$id\"",
                    [TableQuery.list(rows)]
                )
            }
            try connection.run(
                "DELETE FROM \(staged("$map")) WHERE \"staged\" \(Self.isListed)",
                [TableQuery.list(dropped)]
            )
            rows = try numbers(
                """
                DELETE FROM \(staged("$links")) WHERE "source" \(Self.isListed) AND "target" IS NOT NULL
                RETURNING "target"
                """,
                [TableQuery.list(dropped)]
            )
        }
    }

    /// What dropped links of a delta led to: held by them alone, it is not held any more.
    func formerTargets(of links: [FormerLink]) throws -> [FormerTarget] {
        try links.flatMap { link -> [FormerTarget] in
            guard isDelta, let source = try row(of: link.source),
                let target = try row(of: link.target)
            else { return [] }
            return leads.indices.filter { leads[$0].navigation == link.navigation }
                .map { FormerTarget(lead: $0, source: source, target: target) }
        }
    }

    private func row(of staged: Int64) throws -> Int64? {
        try connection.integer(
            "SELECT \"row\" FROM \(self.staged("$map")) WHERE \"staged\" = ?1",
            [.integer(staged)]
        )
    }

    private static let isListed = "IN (SELECT value FROM json_each(?1))"

    private func numbers(_ sql: String, _ values: [Scalar]) throws -> [Int64] {
        var numbers: [Int64] = []
        try connection.forEachRow(sql, values) { numbers.append($0.integer(0)) }
        return numbers
    }
}
