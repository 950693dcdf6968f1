import ODataSQL
import ODataSQLite
import ODataModel
import ODataTables
import StoreRecords

/// Which row of the store each staged row is: rows meet by key.
extension StagedMerge {
    /// Says for each staged row which row of the store it is.
    func map(_ table: TableLayout) throws {
        let rows = staged(table.name)
        if containsItself(table) {
            // Contained entities are known by what contains them: one level after the other.
            try repeatWhileMapping { try mapKnown(table, rows: rows) }
            let ready = "s.\"$parent\" IN (SELECT \"staged\" FROM \(staged("$map")))"
            try repeatWhileMapping { try mapNew(table, rows: rows, ready: ready) }
        }
        try mapKnown(table, rows: rows)
        try mapNew(table, rows: rows)
    }

    /// Makes one staged row of those that are the same row of the store.
    ///
    /// - Returns: Links of earlier versions of entities, which are dropped.
    @discardableResult
    func joinRepeated(_ table: TableLayout) throws -> [FormerLink] {
        guard try isAnyRepeated(table) else { return [] }
        let former = try dropFormerLinks(table)
        if isDelta || comesInParts(table) { try gatherChanges(table) }
        // A key that came twice: the row that came last wins.
        try connection.execute(
            """
            DELETE FROM \(staged(table.name)) WHERE "$id" IN (
                SELECT older."staged" FROM \(staged("$map")) older JOIN \(staged("$map")) newer
                ON newer."row" = older."row" AND newer."staged" > older."staged")
            """
        )
        return former
    }

    /// Whether an entity may come with other properties at each place where the query asks for it.
    private func comesInParts(_ table: TableLayout) -> Bool {
        partialSources.contains(table.source) && QueryReach.expands(query, in: schema)
    }

    /// Whether entities of a table may contain others of it.
    private func containsItself(_ table: TableLayout) -> Bool {
        guard case .contained(let id) = table.source else { return false }
        return table.types.contains { layout.model.type($0, isOrExtends: id.type) }
    }

    private func repeatWhileMapping(_ step: () throws -> Void) throws {
        func count() throws -> Int64? {
            try connection.integer("SELECT count(*) FROM \(staged("$map"))")
        }
        var (before, now): (Int64?, Int64?) = (nil, try count())
        while before != now {
            before = now
            try step()
            now = try count()
        }
    }

    private func mapKnown(_ table: TableLayout, rows: String) throws {
        // What is deleted here comes first: a new entity may have been created here with its key since.
        if try catalog.exists(table.baseName) {
            try connection.execute(
                """
                INSERT OR IGNORE INTO \(staged("$map")) SELECT s."$id", b."$id", \(Kind.deletedHere.rawValue)
                FROM \(rows) s JOIN main.\(table.baseName.sqlQuoted) b ON \(keyMatch(table, came: "s", stored: "b"))
                WHERE b."$state" & \(RowState.created.rawValue) = 0
                    AND NOT EXISTS (SELECT 1 FROM main.\(table.sql) m WHERE m."$id" = b."$id")
                """
            )
        }
        try connection.execute(
            """
            INSERT OR IGNORE INTO \(staged("$map")) SELECT s."$id", m."$id", \(Kind.known.rawValue)
            FROM \(rows) s JOIN main.\(table.sql) m ON \(keyMatch(table, came: "s", stored: "m"))
            """
        )
    }

    /// - Parameter ready: A condition on the rows that are to be mapped.
    func mapNew(_ table: TableLayout, rows: String, ready: String = "1") throws {
        // The parent may have come twice too: what counts is the row that it becomes.
        let parent =
            table.isContained
            ? ["(SELECT p.\"row\" FROM \(staged("$map")) p WHERE p.\"staged\" = s.\"$parent\")"]
            : []
        let key = table.keyColumns.map { "s." + table.columns[$0].sql } + parent
        let group = key.isEmpty ? "s.\"$id\"" : key.joined(separator: ", ")
        let fresh = "\(ready) AND s.\"$id\" NOT IN (SELECT \"staged\" FROM \(staged("$map")))"
        let count =
            try connection.integer(
                "SELECT count(*) FROM (SELECT 1 FROM \(rows) s WHERE \(fresh) GROUP BY \(group))"
            ) ?? 0
        guard count > 0 else { return }
        let first = try connection.takeRowIDs(Int(count))
        try connection.execute(
            """
            INSERT INTO \(staged("$map")) SELECT "id", \(first) - 1 + dense_rank() OVER (ORDER BY "winner"), \
            \(Kind.new.rawValue) FROM (
                SELECT s."$id" AS "id", max(s."$id") OVER (PARTITION BY \(group)) AS "winner"
                FROM \(rows) s WHERE \(fresh))
            """
        )
    }

    /// The condition that a staged row and a row of the store are the same entity.
    func keyMatch(_ table: TableLayout, came: String, stored: String) -> String {
        // There is one, whether its key comes or not.
        guard !table.isSingleton else { return "1" }
        var conditions = table.keyColumns.map { place in
            "\(stored).\(table.columns[place].sql) = \(came).\(table.columns[place].sql)"
        }
        if table.isContained {
            conditions.append(
                "\(stored).\"$parent\" = (SELECT p.\"row\" FROM \(staged("$map")) p"
                    + " WHERE p.\"staged\" = \(came).\"$parent\")"
            )
        }
        return conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
    }
}

extension TableLayout {
    /// Whether it holds the one entity of a singleton.
    var isSingleton: Bool { if case .singleton = source { true } else { false } }
}
