import ODataSQL
import ODataSQLite
import StoreRecords
import ODataValues
import ODataTables

/// Merges staged rows that have local changes: the staged values become the server copy.
extension StagedMerge {
    /// Keeps the staged row with the key of a pending creation as its server copy: another client has created the entity.
    func keepCopiesOfCreated(_ table: TableLayout, into result: inout Result) throws {
        var met: [(staged: Int64, row: Int64)] = []
        try connection.forEachRow(
            """
            SELECT x."staged", x."row" FROM \(staged("$map")) x
            JOIN \(staged(table.name)) s ON s."$id" = x."staged"
            JOIN main.\(table.sql) m ON m."$id" = x."row"
            WHERE m."$state" & \(RowState.created.rawValue) <> 0 AND x."row" IN (
                SELECT "row" FROM main."$queue"
                WHERE "flags" & \(QueueEntry.Flags.insertsOwnRow.rawValue) <> 0
                UNION ALL SELECT "row" FROM main."$effect"
                WHERE "kind" = \(EffectJournal.Kind.inserted.rawValue))
            """
        ) { met.append(($0.integer(0), $0.integer(1))) }
        guard !met.isEmpty else { return }
        try catalog.ensureCopies(table.serverName, of: table)
        for item in met { try keepCopy(of: item.staged, as: item.row, table) }
        result.conflicted.formUnion(met.map(\.row))
    }

    private func keepCopy(of staged: Int64, as row: Int64, _ table: TableLayout) throws {
        let columns = loadedColumns(table)
        let values = columns.map { brought($0, in: table, over: "o") }.joined(separator: ", ")
        let server = table.serverName.sqlQuoted
        try connection.run(
            """
            INSERT OR REPLACE INTO main.\(server) ("$id", \(columns.joined(separator: ", ")))
            SELECT ?2, \(values) FROM \(self.staged(table.name)) s
            LEFT JOIN main.\(server) o ON o."$id" = ?2 WHERE s."$id" = ?1
            """,
            [.integer(staged), .integer(row)]
        )
        try connection.run(
            """
            UPDATE main.\(table.sql) SET "$state" = "$state" | \(RowState.conflict.rawValue)
            WHERE "$id" = ?1
            """,
            [.integer(row)]
        )
    }

    /// Brings base copies up to date of which the service has no other version than the one that the store has made itself.
    ///
    /// After an upload the store knows the new ETag, but not what the service computed, nor what others had changed before: such
    /// values are not a conflict, unless there is no ETag and a waiting change writes over them. Nor is another ETag over the same
    /// values, nor are equal values on both sides. Nor is anything where only links or streams were changed here: they are sent
    /// without the ETag of the entity, and overwrite none of its values.
    ///
    /// A deletion goes on under the ETag that it was made on: it takes away more than a query may bring, streams and what is contained, and
    /// a look at the whole entity decides when the service refuses that ETag.
    func refreshBases(_ table: TableLayout) throws {
        guard try catalog.exists(table.baseName) else { return }
        let columns = table.columns.map(\.sql)
        let given = table.columns.filter { !schema.isComputed($0) }
        let isNewer = hasOtherValues(given, in: table, over: "b")
        let isOther = hasOtherValues(given, in: table, over: "m")
        // The media ETag may be the only sign of a changed stream.
        let any = Self.anyOf(
            differences(
                columns + [SystemColumn.dynamic.sql, SystemColumn.control.sql],
                in: table,
                over: "b"
            )
        )
        let isSame = """
            (b."$etag" = s."$etag" OR NOT (\(isNewer)) OR m."$id" IS NOT NULL AND NOT (\(isOther))
                OR b."$id" NOT IN (\(Self.changedInValues)) AND NOT \(hasMovedLink(table)))
            """
        let known = try isKeptInVersion(table)
        let extended = try extendsNewerVersion(table)
        var met: [(staged: Int64, row: Int64, isSame: Bool, keepsETag: Bool)] = []
        try connection.forEachRow(
            """
            SELECT s."$id", b."$id", \(isSame),
                m."$id" IS NULL AND nullif(b."$etag", '\(ETagState.stale)') <> s."$etag" IS TRUE
                OR \(Self.hasOtherETag("b"))
                    AND (\(hasOtherPart(of: table)) OR \(hasUnbroughtPart(of: table))
                        OR b."$id" IN (\(Self.linkedWithValues)))
            FROM \(staged(table.name)) s
            JOIN \(staged("$map")) x ON x."staged" = s."$id"
            JOIN main.\(table.baseName.sqlQuoted) b ON b."$id" = x."row"
            LEFT JOIN main.\(table.sql) m ON m."$id" = x."row"
            WHERE (m."$id" IS NULL OR m."$state" & \(RowState.waiting.rawValue) <> 0)
                AND b."$state" & \(RowState.created.rawValue) = 0
                AND (\(isSame)
                    OR s."$etag" IS NULL AND b."$state" & \(RowState.local.rawValue) <> 0)
                AND (\(Self.hasOtherETag("b")) OR \(any)) AND NOT \(known) AND NOT \(extended)
            """
        ) { met.append(($0.integer(0), $0.integer(1), $0.integer(2) != 0, $0.integer(3) != 0)) }
        met = try met.filter { try $0.isSame || !isWrittenOver($0.staged, of: $0.row, in: table) }
        let all = assignments(table, over: "b")
        let values = assignments(table, over: "b", keepingETag: true)
        for item in met {
            try connection.run(
                """
                UPDATE main.\(table.baseName.sqlQuoted) AS b SET \(item.keepsETag ? values : all)
                FROM \(staged(table.name)) s WHERE b."$id" = ?2 AND s."$id" = ?1
                """,
                [.integer(item.staged), .integer(item.row)]
            )
            try forgetServerCopy(of: item.row, table)
        }
        let rows = met.map { ChangedRow(table: table.name, row: $0.row) }
        try RowRebuild(connection, layout: layout).rebuild(Set(rows), links: [])
    }

    /// The SQL condition that the service has given a row another foreign key where a waiting link sets it.
    private func hasMovedLink(_ table: TableLayout) -> String {
        let keys = Set(layout.principals(of: table.source).flatMap(\.pairs).map(\.here)).sorted()
        let moved = Self.anyOf(changes(keys.map { table.columns[$0] }, in: table, over: "b"))
        return "(b.\"$id\" IN (\(Self.linkedByKey)) AND (\(moved)))"
    }

    /// The SQL condition that other queries, which this download has not merged yet, bring a part of a row that this one does not.
    ///
    /// Whether the service's version is newer in what they bring is not known before: the ETag of the base copy stays.
    private func hasOtherPart(of table: TableLayout) -> String {
        guard partialSources.contains(table.source) else { return "0" }
        let merged = earlier.reduce(query.bit | DefiningQueries.memberBit) { $0 | $1.bit }
        return "(b.\"$queries\" & ~\(merged) <> 0)"
    }

    /// The SQL condition that a base copy has values which no merged query brings that holds its row: one has brought them that has
    /// left the row behind, or they were written here.
    ///
    /// They are of the version that the waiting changes were made on, as far as is known; its ETag stays with them.
    private func hasUnbroughtPart(of table: TableLayout) -> String {
        guard partialSources.contains(table.source) else { return "0" }
        let queries = (earlier + [query]).map { query in
            let columns = QuerySelection.columns(
                of: query,
                table,
                in: schema,
                includesImpliedKeys: true
            )
            return (bit: query.bit, columns: columns)
        }
        let others = table.columns.indices.filter { table.columns[$0].keyIndex == nil }
        let values = others.map { place in
            let mask = queries.filter { $0.columns.contains(place) }
                .reduce(DefiningQueries.memberBit) { $0 | $1.bit }
            return "\(isKnown(table.columns[place], of: "b")) AND b.\"$queries\" & \(mask) = 0"
        }
        let hasETag = "nullif(b.\"$etag\", '\(ETagState.stale)') IS NOT NULL"
        return "(\(hasETag) AND (\(Self.anyOf(values))))"
    }

    /// The SQL condition that a query before has brought the same version of a row, which is newer than its base copy.
    private func isKeptInVersion(_ table: TableLayout) throws -> String {
        guard partialSources.contains(table.source), try catalog.exists(table.serverName) else {
            return "0"
        }
        return """
            EXISTS (SELECT 1 FROM main.\(table.serverName.sqlQuoted) o
                WHERE o."$id" = x."row" AND o."$etag" = s."$etag")
            """
    }

    /// The SQL condition that a row has a server copy of which this query may bring a part only: the rest of it is newer than the base
    /// copy too.
    private func extendsNewerVersion(_ table: TableLayout) throws -> String {
        guard isDelta || partialSources.contains(table.source),
            try catalog.exists(table.serverName)
        else { return "0" }
        return """
            EXISTS (SELECT 1 FROM main.\(table.serverName.sqlQuoted) o WHERE o."$id" = x."row")
            """
    }

    /// Gives server copies the values of the same version that this query brings besides; answers their rows.
    private func completeServerCopies(_ table: TableLayout) throws -> Set<Int64> {
        guard partialSources.contains(table.source) else { return [] }
        return try updateServerCopies(table, where: "o.\"$etag\" = s.\"$etag\"")
    }

    /// Gives server copies what was staged, where a condition on copy `o`, staged row `s` and present row `m` holds; answers their rows.
    @discardableResult
    private func updateServerCopies(_ table: TableLayout, where condition: String) throws
        -> Set<Int64>
    {
        var rows: Set<Int64> = []
        try connection.forEachRow(
            """
            UPDATE main.\(table.serverName.sqlQuoted) AS o SET \(assignments(table, over: "o"))
            FROM \(staged(table.name)) s JOIN \(staged("$map")) x ON x."staged" = s."$id"
            LEFT JOIN main.\(table.sql) m ON m."$id" = x."row"
            WHERE o."$id" = x."row" AND \(condition) RETURNING "$id"
            """
        ) { rows.insert($0.integer(0)) }
        return rows
    }

    /// Gives the server copies of rows that are deleted here what they did not know, of properties that are new in the model for example,
    /// and the newest ETag: another version is what differs in what was known.
    private func renewServerCopies(_ table: TableLayout) throws {
        let columns = table.columns.map(\.sql) + [SystemColumn.dynamic.sql]
        let isOther = Self.anyOf(differences(columns, in: table, over: "o"))
        try updateServerCopies(
            table,
            where: """
                m."$id" IS NULL AND NOT (\(hasOtherValues(table.columns, in: table, over: "o")))
                AND (\(isOther) OR \(Self.hasOtherETag("o")))
                """
        )
    }

    /// Whether a waiting change writes over a value that the service has changed.
    private func isWrittenOver(_ staged: Int64, of row: Int64, in table: TableLayout) throws -> Bool
    {
        let written = try EffectJournal(connection).writtenColumns(of: row)
        let columns = table.columns.filter { written.contains($0.name) }.map(\.sql)
        guard !columns.isEmpty else { return false }
        return try connection.integer(
            """
            SELECT 1 FROM \(self.staged(table.name)) s, main.\(table.baseName.sqlQuoted) b
            WHERE s."$id" = ?1 AND b."$id" = ?2 AND (\(Self.anyOf(differences(columns, in: table, over: "b"))))
            """,
            [.integer(staged), .integer(row)]
        ) != nil
    }

    /// Rows of which a waiting request changes values, or which it creates or deletes; a call is about no row of its own, and a link, whose
    /// foreign key is in `linkedByKey`, changes no value.
    private static let changedInValues = """
        SELECT "row" FROM main."$queue" WHERE "row" IS NOT NULL AND "streamProperty" IS NULL
            AND instr("url", '/$ref') = 0
        UNION ALL SELECT "row" FROM main."$effect" WHERE "target" IS NULL AND "kind" IN (\(EffectJournal.kindsOfRows))
            AND "request" NOT IN (\(links))
        """

    /// Rows whose foreign key a waiting link sets.
    private static let linkedByKey = """
        SELECT "row" FROM main."$effect" WHERE "target" IS NULL AND "request" IN (\(links))
        """

    /// Rows whose links a waiting change sets together with values: it goes under the ETag that it was made on, whoever has changed the
    /// links since.
    private static let linkedWithValues = """
        SELECT q."row" FROM main."$queue" q JOIN main."$effect" e ON e."request" = q."id"
        WHERE q."row" IS NOT NULL AND instr(q."url", '/$ref') = 0
            AND e."kind" IN (\(EffectJournal.Kind.linked.rawValue), \(EffectJournal.Kind.unlinked.rawValue))
        """

    private static let links = "SELECT \"id\" FROM main.\"$queue\" WHERE instr(\"url\", '/$ref')"

    /// The SQL of the service's newest versions of changed rows, as far as they are known: the server copies, else the base copies.
    private func newest(_ table: TableLayout) -> String {
        let values = loadedColumns(table).map {
            "CASE WHEN o.\"$id\" IS NULL THEN b.\($0) ELSE o.\($0) END AS \($0)"
        }
        return """
            (SELECT b."$id" AS "$id", \(values.joined(separator: ", ")) FROM main.\(table.baseName.sqlQuoted) b
            LEFT JOIN main.\(table.serverName.sqlQuoted) o ON o."$id" = b."$id")
            """
    }

    /// Keeps the service's newer version of rows that have local changes, where it is not the one they were made on.
    func keepServerCopies(_ table: TableLayout, into result: inout Result) throws {
        guard try catalog.exists(table.baseName) else { return }
        try catalog.ensureCopies(table.serverName, of: table)
        let columns = loadedColumns(table)
        let list = columns.joined(separator: ", ")
        // What the query does not bring, the copy has from a newer version that came before, else from the base copy.
        let values = columns.map { column in
            column == SystemColumn.etag.sql
                ? etag(table, over: "k") : brought(column, in: table, over: "k")
        }
        .joined(separator: ", ")
        let differs = hasOtherValues(table.columns, in: table, over: "k")
        try renewServerCopies(table)
        var met = try completeServerCopies(table)
        let known = try isKeptInVersion(table)
        try connection.forEachRow(
            """
            INSERT OR REPLACE INTO main.\(table.serverName.sqlQuoted) ("$id", \(list))
            SELECT x."row", \(values) FROM \(staged(table.name)) s
            JOIN \(staged("$map")) x ON x."staged" = s."$id"
            JOIN main.\(table.baseName.sqlQuoted) b ON b."$id" = x."row"
            JOIN \(newest(table)) k ON k."$id" = x."row"
            LEFT JOIN main.\(table.sql) m ON m."$id" = x."row"
            WHERE (m."$id" IS NULL OR m."$state" & \(RowState.waiting.rawValue) <> 0)
                AND b."$state" & \(RowState.created.rawValue) = 0
                AND NOT \(known)
                AND (\(Self.hasOtherETag("b")) AND m."$id" IS NOT NULL
                        AND NOT (\(hasOtherPart(of: table)) AND NOT (\(differs)))
                    OR (s."$etag" IS NULL OR m."$id" IS NULL) AND (\(differs)))
            RETURNING "$id"
            """
        ) { met.insert($0.integer(0)) }
        guard !met.isEmpty else { return }
        result.conflicted.formUnion(met)
        try connection.execute(
            """
            UPDATE main.\(table.sql) SET "$state" = "$state" | \(RowState.conflict.rawValue)
            WHERE "$id" IN (SELECT "$id" FROM main.\(table.serverName.sqlQuoted))
                AND "$state" & \(RowState.waiting.rawValue) <> 0
            """
        )
    }
}
