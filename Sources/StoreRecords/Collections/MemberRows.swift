package import ODataSQLite
import ODataSQL
import ODataValues

/// Which rows are held by queries that have no bit of their own: stored collections, and defining queries beyond the 62nd.
///
///     $queries of a row   | 0 … 61: a bit for each of the first queries | 62: `$member` has rows for it |
///
/// A store without such queries has no row here, and no row of an entity is any longer for it.
package struct MemberRows {
    let connection: SQLiteConnection

    static let statements = [
        """
        CREATE TABLE "$member" (
            "query" INTEGER NOT NULL, "row" INTEGER NOT NULL, "position" INTEGER,
            PRIMARY KEY ("query", "row")
        ) WITHOUT ROWID
        """,
        "CREATE INDEX \"$member:row\" ON \"$member\" (\"row\")",
        """
        CREATE TABLE "$collection" (
            "slot" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE, "url" TEXT NOT NULL,
            "isFetched" INTEGER NOT NULL DEFAULT 0, "fetched" INTEGER, "expires" INTEGER,
            "validator" TEXT, "deltaLink" TEXT, "attributes" TEXT
        )
        """,
        """
        CREATE INDEX "$collection:expires" ON "$collection" ("expires") WHERE "expires" IS NOT NULL
        """,
    ]

    /// The members of each collection in its order, so that reading one sorts nothing; rows that only belong to a query are not in it.
    static let orderIndex = """
        CREATE INDEX "$member:order" ON "$member" ("query", "position") WHERE "position" IS NOT NULL
        """

    /// How many entities the service has counted (`$count=true`), which are more than the members where the read asks for some of them.
    static let countColumn = "ALTER TABLE \"$collection\" ADD COLUMN \"count\" INTEGER"

    /// The rows that a collection itself asks for, in its order.
    static func list(of slot: Int) -> RowList { RowList(Int64(slot), in: "$member") }

    /// The condition that some query holds the row with the id `$id`.
    package static let isHeld = """
        EXISTS (SELECT 1 FROM main."$member" WHERE "row" = "$id")
        """

    /// The expression for the slot of the collection that was fetched last of those that hold a row.
    ///
    /// Beside `max` the other column is that of the row with the maximum (https://www.sqlite.org/lang_select.html#bareagg); sorting
    /// for one row would cost a third of the statement.
    package static func newestHolder(of id: String, among queries: String) -> String {
        """
        CASE WHEN \(queries) & \(DefiningQueries.memberBit) THEN (
            SELECT iif(max(coalesce(c."fetched", 0)) IS NULL, NULL, c."slot")
            FROM "$member" AS m CROSS JOIN "$collection" AS c ON c."slot" = m."query"
            WHERE m."row" = \(id) AND c."isFetched" <> 0) END
        """
    }

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// A slot that no query has.
    package func freeSlot() throws -> Int {
        let last = try connection.integer(
            """
            SELECT max(coalesce((SELECT max("slot") FROM "$query"), 0),
                coalesce((SELECT max("slot") FROM "$collection"), 0))
            """
        )
        return max(Int(last ?? 0) + 1, DefiningQueries.maximumCount)
    }

    /// The stored collection of a slot, as the merge knows queries; nil where there is none.
    func collection(in slot: Int) throws -> DefiningQuery? {
        try connection.firstRow(
            "SELECT \"name\", \"url\" FROM \"$collection\" WHERE \"slot\" = ?1",
            [.integer(Int64(slot))]
        ) { StoredCollection(name: $0.string(0), url: $0.string(1), slot: slot).query }
    }

    /// The slots of what holds some rows without a bit of its own.
    func slots(of rows: [Int64]) throws -> [Int64: Set<Int>] {
        var slots: [Int64: Set<Int>] = [:]
        for row in rows {
            try connection.forEachRow(
                "SELECT \"query\" FROM main.\"$member\" WHERE \"row\" = ?1",
                [.integer(row)]
            ) { slots[row, default: []].insert(Int($0.integer(0))) }
        }
        return slots
    }

    /// Forgets what a query holds of a table's rows that meet a condition.
    func remove(of query: DefiningQuery, in table: String, where condition: String) throws {
        try connection.run(
            """
            DELETE FROM main."$member" WHERE "query" = ?1
                AND "row" IN (SELECT "$id" FROM main.\(table.sqlQuoted) WHERE \(condition))
            """,
            [.integer(Int64(query.slot))]
        )
    }

    /// Forgets a row that is gone.
    package func remove(row: Int64) throws {
        try connection.run("DELETE FROM main.\"$member\" WHERE \"row\" = ?1", [.integer(row)])
    }

    /// Lets a row be held by what has held another one, which is the same entity.
    package func move(_ row: Int64, to other: Int64) throws {
        try connection.run(
            "UPDATE OR REPLACE \"$member\" SET \"row\" = ?2 WHERE \"row\" = ?1",
            [.integer(row), .integer(other)]
        )
    }
}

extension DefiningQuery {
    /// The SQL condition that this query holds a row.
    ///
    /// - Parameter row: What the row's columns are qualified with, a point at its end.
    package func holds(_ row: String = "") -> String {
        guard keepsMembers else { return "\(row)\"$queries\" & \(bit) <> 0" }
        return """
            \(row)"$id" IN (SELECT "row" FROM main."$member" WHERE "query" = \(slot))
            """
    }

    /// The SQL condition that this query alone holds the row.
    package var holdsAlone: String {
        guard keepsMembers else { return "\"$queries\" = \(bit)" }
        return """
            "$queries" = \(bit) AND \(holds()) AND NOT EXISTS (
                SELECT 1 FROM main."$member" WHERE "row" = "$id" AND "query" <> \(slot))
            """
    }
}
