import ODataSQLite
import ODataSQL
@testable import StoreRecords
import ODataTables

/// What holds in a store between any two events: nothing is left behind by what is gone, and the states of rows are those that the
/// queue gives them.
struct SeamInvariants {
    private let connection: SQLiteConnection
    private let catalog: TableCatalog
    private let tables: [TableLayout]

    init(_ connection: SQLiteConnection, _ schema: TableSchema) throws {
        self.connection = connection
        catalog = TableCatalog(connection, layout: schema.layout)
        tables = try catalog.tables().filter {
            !BuiltInSets.contains($0.source, in: schema.model)
        }
    }

    /// Returns what does not hold.
    func violations() throws -> [String] {
        try remains() + copies() + duplicates() + awaitedKeys() + links() + states()
    }

    // MARK: Conditions

    /// The ids of all rows; with those that are deleted here.
    private func rows(withCopies: Bool) throws -> String {
        var names = tables.map(\.name)
        if withCopies { names += try tables.map(\.baseName).filter(catalog.exists) }
        guard !names.isEmpty else { return "SELECT 0" }
        return names.map { "SELECT \"$id\" FROM \($0.sqlQuoted)" }.joined(separator: " UNION ALL ")
    }

    /// The rows on which requests wait.
    private static let waiting = """
        SELECT "row" FROM "$queue" WHERE "row" IS NOT NULL
        UNION ALL SELECT "row" FROM "$effect" WHERE "target" IS NULL
        """

    private func check(_ rule: String, _ sql: String) throws -> [String] {
        var found: [String] = []
        try connection.forEachRow(sql) { row in
            found.append("\(rule): \(row.isNull(0) ? "null" : "\(row.integer(0))")")
        }
        return found
    }

    // MARK: Rules

    /// What requests, rows and contents leave behind.
    private func remains() throws -> [String] {
        let held = try rows(withCopies: true)
        let requests = "(SELECT \"id\" FROM \"$queue\")"
        let containers =
            (["SELECT 0"]
            + tables.filter(\.isContained).map {
                "SELECT \"$parent\" FROM \($0.sql) WHERE \"$parent\" IS NOT NULL"
            }).joined(separator: " UNION ALL ")
        var rules: [(String, String)] = [
            (
                "a dependency of or on no request",
                "SELECT \"request\" FROM \"$depends\" WHERE \"request\" NOT IN \(requests) OR \"on\" NOT IN \(requests)"
            ),
            (
                "a row named by no request",
                "SELECT \"row\" FROM \"$refers\" WHERE \"request\" NOT IN \(requests)"
            ),
            (
                "an effect of no request",
                "SELECT \"row\" FROM \"$effect\" WHERE \"request\" NOT IN \(requests)"
            ),
            (
                "a request that waits for a refused one and is not parked",
                """
                SELECT d."request" FROM "$depends" d JOIN "$queue" q ON q."id" = d."request"
                JOIN "$queue" o ON o."id" = d."on"
                WHERE q."status" = 'pending' AND o."status" IN ('failed', 'parked')
                """
            ),
            (
                "a row that is gone, and no request for it or for what it contains",
                """
                SELECT "row" FROM "$gone" WHERE "row" NOT IN (\(Self.waiting)) AND "row" NOT IN (\(containers))
                """
            ),
            (
                "the service's content of a stream that no request changes",
                """
                SELECT b."row" FROM "$streamBase" b WHERE NOT EXISTS (SELECT 1 FROM "$effect" e
                    WHERE e."kind" = 5 AND e."row" = b."row" AND e."column" = b."property")
                """
            ),
            (
                "a content that nothing names",
                """
                SELECT "id" FROM "$content" WHERE "id" NOT IN (SELECT "content" FROM "$streamHead")
                    AND "id" NOT IN (SELECT "content" FROM "$streamBase" WHERE "content" IS NOT NULL)
                    AND "id" NOT IN (SELECT "value" FROM "$effect" WHERE "kind" = 5 AND "value" IS NOT NULL)
                    AND "id" NOT IN (\(try catalog.exists("$eventStream")
                        ? "SELECT \"content\" FROM \"$eventStream\"" : "0"))
                """
            ),
        ]
        for name in ["$streamHead", "$remove", "$local", "$member", "$address"]
        where try catalog.exists(name) {
            rules.append(
                (
                    "\(name) of no row",
                    "SELECT \"row\" FROM \(name.sqlQuoted) WHERE \"row\" NOT IN (\(held))"
                )
            )
        }
        return try rules.flatMap { try check($0.0, $0.1) }
    }

    /// Copies are kept of rows on which requests wait.
    private func copies() throws -> [String] {
        var found: [String] = []
        for table in tables {
            for name in [table.baseName, table.serverName] where try catalog.exists(name) {
                found += try check(
                    "a copy without request in \(name)",
                    "SELECT \"$id\" FROM \(name.sqlQuoted) WHERE \"$id\" NOT IN (\(Self.waiting))"
                )
            }
        }
        return found
    }

    /// A row and its copy without the changes that wait are one entity: no change makes another of these.
    private func duplicates() throws -> [String] {
        var found: [String] = []
        for table in tables where try catalog.exists(table.baseName) {
            for column in [SystemColumn.queries, .etag, .parent, .type] {
                found += try check(
                    "another \(column.rawValue) in \(table.baseName)",
                    """
                    SELECT m."$id" FROM \(table.sql) m JOIN \(table.baseName.sqlQuoted) b ON b."$id" = m."$id"
                    WHERE m.\(column.sql) IS NOT b.\(column.sql) AND b."$etag" IS NOT '\(ETagState.stale)'
                    """
                )
            }
        }
        return found
    }

    /// What stands for a key that the service has not told is the local id of an entity.
    private func awaitedKeys() throws -> [String] {
        var found: [String] = []
        for table in tables {
            for name in [table.name, table.baseName, table.serverName]
            where try catalog.exists(name) {
                for column in table.columns where column.affinity != "BLOB" {
                    found += try check(
                        "a key of no entity in \(name)",
                        """
                        SELECT "$id" FROM \(name.sqlQuoted) WHERE \(column.isAwaitedKey)
                            AND \(column.sql) NOT IN (SELECT "id" FROM "$local")
                        """
                    )
                }
            }
        }
        return found
    }

    /// Links lead from and to rows that are there, and have copies while requests change them.
    private func links() throws -> [String] {
        let held = try rows(withCopies: true)
        var found = try check(
            "a copy of a link that no request changes",
            """
            SELECT b."source" FROM "$baselink" b WHERE NOT EXISTS (SELECT 1 FROM "$effect" e
                WHERE e."table" = b."table" AND e."row" = b."source" AND e."target" = b."target")
            """
        )
        for name in try catalog.linkTables() {
            found += try check(
                "a link of no row in \(name)",
                "SELECT \"source\" FROM \(name.sqlQuoted) WHERE \"source\" NOT IN (\(held)) OR \"target\" NOT IN (\(held))"
            )
        }
        for table in tables where table.isContained {
            found += try check(
                "an entity in none in \(table.name)",
                "SELECT \"$id\" FROM \(table.sql) WHERE \"$parent\" NOT IN (\(held))"
            )
        }
        return found
    }

    /// The states of rows are what the queue and the copies say.
    private func states() throws -> [String] {
        let refused = "SELECT \"id\" FROM \"$queue\" WHERE \"status\" = 'failed'"
        let inError = """
            SELECT "row" FROM "$queue" WHERE "id" IN (\(refused)) AND "row" IS NOT NULL
            UNION ALL SELECT "row" FROM "$effect" WHERE "target" IS NULL AND "request" IN (\(refused))
            """
        let created = """
            SELECT "row" FROM "$queue" WHERE "flags" & \(QueueEntry.Flags.insertsOwnRow.rawValue) <> 0
            UNION ALL SELECT "row" FROM "$effect" WHERE "kind" = 0
            """
        var found: [String] = []
        for table in tables {
            let newer =
                try catalog.exists(table.serverName)
                ? " UNION ALL SELECT \"$id\" FROM \(table.serverName.sqlQuoted)" : ""
            let conflict = """
                SELECT "row" FROM "$gone" WHERE "row" IN (\(Self.waiting))\(newer) UNION ALL SELECT "row" FROM "$queue"
                WHERE "status" = 'failed' AND "streamProperty" IS NOT NULL AND "httpStatus" IN (412, 428)
                """
            for (name, state, rows) in [
                ("pending", RowState.pending, Self.waiting), ("inError", .inError, inError),
                ("created", .created, created), ("conflict", .conflict, conflict),
            ] {
                found += try check(
                    "a wrong state '\(name)' in \(table.name)",
                    """
                    SELECT "$id" FROM \(table.sql)
                    WHERE ("$state" & \(state.rawValue) <> 0) <> ("$id" IN (\(rows)))
                    """
                )
            }
        }
        return found
    }
}
