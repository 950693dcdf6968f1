import ODataModel
import ODataProtocol
package import ODataTables

/// Brings what was staged for one query into the store, in the caller's transaction: readers see before or after.
///
/// Rows meet by key. A row with local changes keeps its values: what came becomes its server copy.
package struct StagedMerge {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private let query: DefiningQuery
    private let stamp: Int64
    private var layout: Layout { schema.layout }
    private var catalog: TableCatalog { TableCatalog(connection, schema.layout) }

    /// What a merge did.
    package struct Result: Sendable {
        package var inserted = 0
        package var updated = 0
        package var removed = 0
        package var conflicts = 0
    }

    /// How a staged row stands to the store; stored in `$map`.
    private enum Kind: Int {
        case known = 0
        case new = 1
        /// Deleted here, and the service does not know yet.
        case deletedHere = 2
    }

    package init(
        _ connection: SQLiteConnection,
        _ schema: TableSchema,
        _ query: DefiningQuery,
        stamp: Int64
    ) {
        self.connection = connection
        self.schema = schema
        self.query = query
        self.stamp = stamp
    }

    /// Merges everything that is staged; a full read also takes the query's mark from rows that did not come.
    package func merge(isFull: Bool) throws -> Result {
        var result = Result()
        for table in stagedTables() {
            try catalog.ensureTable(table.source)
            try map(table)
            try keepServerCopies(table, &result)
            try update(table, &result)
            try settleBases(table)
            try insert(table, &result)
            try mark(table)
        }
        try mergeLinks()
        try removeTombstones(&result)
        try mergeLinkChanges()
        if isFull { try clearAbsent() }
        for table in try catalog.tables() {
            let before = connection.totalChangedRowCount
            try RowCoverage(connection, layout).removeUncovered(in: table)
            result.removed += connection.totalChangedRowCount - before
        }
        return result
    }

    /// Staged tables that exist, parents before what they contain.
    private func stagedTables() -> [TableLayout] {
        let names = (try? stagedNames()) ?? []
        let tables = layout.sources.compactMap { source in
            layout.tableName(of: source).map { names.contains(StagingFile.name($0, query)) } == true
                ? layout[source] : nil
        }
        return tables.filter { !$0.isContained } + tables.filter(\.isContained)
    }

    private func stagedNames() throws -> Set<String> {
        var names: Set<String> = []
        try connection.forEachRow(
            "SELECT \"name\" FROM staging.sqlite_schema WHERE \"type\" = 'table'"
        ) {
            names.insert($0.string(0))
        }
        return names
    }

    /// The quoted name of a table of the staging file that belongs to this query.
    private func staged(_ name: String) -> String {
        "staging." + StagingFile.name(name, query).sqlQuoted
    }

    // MARK: Meeting

    /// Says for each staged row which row of the store it is.
    private func map(_ table: TableLayout) throws {
        let rows = staged(table.name)
        try connection.execute(
            """
            INSERT INTO \(staged("$map")) SELECT s."$id", m."$id", \(Kind.known.rawValue)
            FROM \(rows) s JOIN main.\(table.sql) m ON \(meeting(table, "s", "m"))
            """
        )
        if try catalog.exists(table.baseName) {
            try connection.execute(
                """
                INSERT OR IGNORE INTO \(staged("$map")) SELECT s."$id", b."$id", \(Kind.deletedHere.rawValue)
                FROM \(rows) s JOIN main.\(table.baseName.sqlQuoted) b ON \(meeting(table, "s", "b"))
                WHERE b."$state" & \(RowState.created.rawValue) = 0
                    AND NOT EXISTS (SELECT 1 FROM main.\(table.sql) m WHERE m."$id" = b."$id")
                """
            )
        }
        try mapNew(table, rows)
        // A key that came twice: the row that came last wins.
        try connection.execute(
            """
            DELETE FROM \(rows) WHERE "$id" IN (
                SELECT older."staged" FROM \(staged("$map")) older JOIN \(staged("$map")) newer
                ON newer."row" = older."row" AND newer."staged" > older."staged")
            """
        )
    }

    private func mapNew(_ table: TableLayout, _ rows: String) throws {
        let parent = table.isContained ? ["s.\"$parent\""] : []
        let key = table.keyColumns.map { "s." + table.columns[$0].sql } + parent
        let group = key.isEmpty ? "s.\"$id\"" : key.joined(separator: ", ")
        let fresh = "s.\"$id\" NOT IN (SELECT \"staged\" FROM \(staged("$map")))"
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
    private func meeting(_ table: TableLayout, _ came: String, _ stored: String) -> String {
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

    // MARK: Rows

    /// Columns that a download writes: the entity's own and what the service says of it.
    private func loadedColumns(_ table: TableLayout) -> [String] {
        let system: [SystemColumn] = [.type, .etag, .exact, .dynamic, .control]
        return system.map(\.sql) + broughtColumns(table)
    }

    /// Property columns that the query brings; others keep what they have.
    private func broughtColumns(_ table: TableLayout) -> [String] {
        guard let bound = try? BoundRequest(ofService: query.url, in: schema.model),
            case .entities(let path) = bound.resource, path.finalSource == table.source,
            case .paths(let paths) = bound.options.select
        else { return table.columns.map(\.sql) }
        return table.columns.filter { column in
            column.keyIndex != nil
                || paths.contains { $0.starts(with: column.path) || column.path.starts(with: $0) }
        }.map(\.sql)
    }

    /// Conditions joined by OR in groups: SQLite takes a chain of a thousand for too deep.
    private static func anyOf(_ conditions: [String]) -> String {
        let size = 64
        let groups = stride(from: 0, to: conditions.count, by: size).map { start in
            conditions[start..<min(start + size, conditions.count)].joined(separator: " OR ")
        }
        return groups.isEmpty ? "0" : groups.map { "(\($0))" }.joined(separator: " OR ")
    }

    private static let waiting = RowState([.pending, .inError]).rawValue

    private func update(_ table: TableLayout, _ result: inout Result) throws {
        let columns = loadedColumns(table)
        let assignments = columns.map { "\($0) = s.\($0)" }.joined(separator: ", ")
        let differs = Self.anyOf(columns.map { "m.\($0) IS NOT s.\($0)" })
        try connection.run(
            """
            UPDATE main.\(table.sql) AS m SET \(assignments), "$stamp" = ?1
            FROM \(staged(table.name)) s JOIN \(staged("$map")) x ON x."staged" = s."$id"
            WHERE m."$id" = x."row" AND x."kind" = \(Kind.known.rawValue)
                AND m."$state" & \(Self.waiting) = 0 AND (\(differs))
            """,
            [.integer(stamp)]
        )
        result.updated += connection.changedRowCount
        // What was changed here and has come back is the service's again.
        try connection.run(
            """
            UPDATE main.\(table.sql) SET "$state" = "$state" & ~\(RowState.local.rawValue)
            WHERE "$state" & \(RowState.local.rawValue) <> 0 AND "$state" & \(Self.waiting) = 0
                AND "$id" IN (SELECT "row" FROM \(staged("$map")))
            """
        )
    }

    /// What came was not changed by anything that the service does not know: so it is without the changes that wait.
    private func settleBases(_ table: TableLayout) throws {
        guard try catalog.exists(table.baseName) else { return }
        try connection.execute(
            """
            UPDATE main.\(table.baseName.sqlQuoted) SET "$state" = "$state" & ~\(RowState.local.rawValue)
            WHERE "$id" IN (SELECT "row" FROM \(staged("$map")))
            """
        )
    }

    private func insert(_ table: TableLayout, _ result: inout Result) throws {
        let columns =
            loadedColumns(table)
            + (loadedColumns(table).count == table.columns.count + 5 ? [] : restColumns(table))
        let list = columns.joined(separator: ", ")
        let values = columns.map { "s.\($0)" }.joined(separator: ", ")
        let parent =
            "(SELECT p.\"row\" FROM \(staged("$map")) p WHERE p.\"staged\" = s.\"$parent\")"
        try connection.run(
            """
            INSERT INTO main.\(table.sql) ("$id", "$parent", "$stamp", "$queries", \(list))
            SELECT x."row", \(parent), ?1, ?2, \(values)
            FROM \(staged(table.name)) s JOIN \(staged("$map")) x ON x."staged" = s."$id"
            WHERE x."kind" = \(Kind.new.rawValue)
            """,
            [.integer(stamp), .integer(query.bit)]
        )
        result.inserted += connection.changedRowCount
    }

    /// Columns that the query does not bring: the loader has staged them as unknown.
    private func restColumns(_ table: TableLayout) -> [String] {
        let brought = Set(broughtColumns(table))
        return table.columns.map(\.sql).filter { !brought.contains($0) }
    }

    private func mark(_ table: TableLayout) throws {
        // A row that is deleted here has only its copy; it is this query's when it comes back.
        for name in [table.name, table.baseName] where try catalog.exists(name) {
            try connection.run(
                """
                UPDATE main.\(name.sqlQuoted) SET "$queries" = "$queries" | ?1
                WHERE "$queries" & ?1 = 0 AND "$id" IN (SELECT "row" FROM \(staged("$map")))
                """,
                [.integer(query.bit)]
            )
        }
        try connection.execute(
            "DELETE FROM main.\"$gone\" WHERE \"row\" IN (SELECT \"row\" FROM \(staged("$map")))"
        )
    }

    // MARK: Conflicts

    /// Keeps the service's newer version of rows that have local changes, where it is not the one they were made on.
    private func keepServerCopies(_ table: TableLayout, _ result: inout Result) throws {
        guard try catalog.exists(table.baseName) else { return }
        try catalog.ensureCopies(table.serverName, of: table)
        let brought = broughtColumns(table)
        let columns = loadedColumns(table) + restColumns(table)
        let list = columns.joined(separator: ", ")
        // What the query does not bring, the copy has from the base copy.
        let values =
            (loadedColumns(table).map { "s.\($0)" } + restColumns(table).map { "b.\($0)" })
            .joined(separator: ", ")
        let differs = Self.anyOf(brought.map { "b.\($0) IS NOT s.\($0)" })
        try connection.execute(
            """
            INSERT OR REPLACE INTO main.\(table.serverName.sqlQuoted) ("$id", \(list))
            SELECT x."row", \(values) FROM \(staged(table.name)) s
            JOIN \(staged("$map")) x ON x."staged" = s."$id"
            JOIN main.\(table.baseName.sqlQuoted) b ON b."$id" = x."row"
            LEFT JOIN main.\(table.sql) m ON m."$id" = x."row"
            WHERE (m."$id" IS NULL OR m."$state" & \(Self.waiting) <> 0)
                AND b."$state" & \(RowState.created.rawValue) = 0
                AND (b."$etag" IS NOT s."$etag" OR (s."$etag" IS NULL AND (\(differs))))
            """
        )
        result.conflicts += connection.changedRowCount
        guard connection.changedRowCount > 0 else { return }
        try connection.execute(
            """
            UPDATE main.\(table.sql) SET "$state" = "$state" | \(RowState.conflict.rawValue)
            WHERE "$id" IN (SELECT "$id" FROM main.\(table.serverName.sqlQuoted))
                AND "$state" & \(Self.waiting) <> 0
            """
        )
    }

    // MARK: Links

    /// Links of expanded navigation properties: those that came are there, others of the same source go.
    private func mergeLinks() throws {
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
    private func linkTable(_ id: NavigationPropertyID) -> (String, Bool)? {
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

    private func mergeLinks(_ id: NavigationPropertyID, _ name: String, _ isReversed: Bool) throws {
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
    private func unchangedHere(_ name: String) -> String {
        let link = name.sqlQuoted
        return """
            NOT EXISTS (SELECT 1 FROM main."$baselink" k WHERE k."table" = \(name.sqlText)
                AND k."source" = \(link)."source" AND k."target" = \(link)."target")
            """
    }

    /// Links that a delta payload adds or removes, in its order.
    private func mergeLinkChanges() throws {
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
    private func takeBase(
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

    // MARK: Removal

    /// Finds the row that an entity-id means; nil where the store does not have it.
    private func row(_ id: String) throws -> RowReference? {
        guard
            let request = try? BoundRequest(
                ofService: ServiceRoot.relative(id, connection),
                in: schema.model
            ),
            case .entities(let path) = request.resource
        else { return nil }
        return try TableQuery(connection, layout).rows(path).first
    }

    private func removeTombstones(_ result: inout Result) throws {
        var tombstones: [(sequence: Int64, id: String, reason: RemovalReason)] = []
        try connection.forEachRow(
            "SELECT \"sequence\", \"id\", \"reason\" FROM \(staged("$removed")) ORDER BY \"sequence\""
        ) { row in
            tombstones.append(
                (row.integer(0), row.string(1), RemovalReason(rawValue: row.string(2)) ?? .deleted)
            )
        }
        for tombstone in tombstones {
            guard let entity = try row(tombstone.id) ?? deletedRow(tombstone.id),
                let table = layout[entity.source],
                try !cameLater(entity.row, than: tombstone.sequence)
            else { continue }
            try remove(entity, table, tombstone.reason, &result)
        }
    }

    /// Finds a row that is deleted here by the key in an entity-id.
    private func deletedRow(_ id: String) throws -> RowReference? {
        guard let entity = try? QueueEditor(connection, schema).entity(id) else { return nil }
        return RowReference(source: entity.source, row: entity.row)
    }

    /// Remembers rows with local changes that the service has no more.
    private func markGone(_ selection: String, in table: TableLayout) throws {
        try connection.execute("INSERT OR IGNORE INTO main.\"$gone\" \(selection)")
        try connection.execute(
            """
            UPDATE main.\(table.sql) SET "$state" = "$state" | \(RowState.conflict.rawValue)
            WHERE "$id" IN (SELECT "row" FROM main."$gone")
            """
        )
    }

    private func cameLater(_ row: Int64, than sequence: Int64) throws -> Bool {
        try connection.integer(
            "SELECT 1 FROM \(staged("$map")) WHERE \"row\" = ?1 AND \"staged\" > ?2",
            [.integer(row), .integer(sequence)]
        ) != nil
    }

    private func remove(
        _ entity: RowReference,
        _ table: TableLayout,
        _ reason: RemovalReason,
        _ result: inout Result
    ) throws {
        let coverage = RowCoverage(connection, layout)
        guard reason == .deleted else {
            return try coverage.clear(query.bit, in: table, where: "\"$id\" = \(entity.row)")
        }
        let state = try RowEditor(catalog).value(SystemColumn.state.sql, of: entity.row, in: table)
        guard case .integer(let bits)? = state,
            RowState(rawValue: bits).isDisjoint(with: RowCoverage.kept)
        else {
            // The service has deleted what was changed here: both stand until somebody decides.
            try markGone("SELECT \(entity.row)", in: table)
            result.conflicts += 1
            return
        }
        try coverage.remove(entity.row, in: table)
        result.removed += 1
    }

    /// A row with local changes that only this query held and that did not come is gone at the service, as far as we know.
    private func markAbsent(_ table: TableLayout) throws {
        guard !BuiltInSets.contains(table.source, in: schema.model),
            try catalog.exists(table.name)
        else { return }
        let isAbsent = """
            "$queries" = \(query.bit) AND "$state" & \(RowState.created.rawValue) = 0
                AND "$id" NOT IN (SELECT "row" FROM \(staged("$map")))
            """
        try markGone(
            """
            SELECT "$id" FROM main.\(table.sql)
            WHERE \(isAbsent) AND "$state" & \(Self.waiting) <> 0
            """,
            in: table
        )
        guard try catalog.exists(table.baseName) else { return }
        try markGone(
            """
            SELECT "$id" FROM main.\(table.baseName.sqlQuoted)
            WHERE \(isAbsent) AND "$id" NOT IN (SELECT "$id" FROM main.\(table.sql))
            """,
            in: table
        )
    }

    /// After a full read: rows that this query held and that did not come are not its any more.
    private func clearAbsent() throws {
        let coverage = RowCoverage(connection, layout)
        for table in try catalog.tables() {
            try markAbsent(table)
            try coverage.clear(
                query.bit,
                in: table,
                where: "\"$id\" NOT IN (SELECT \"row\" FROM \(staged("$map")))"
            )
            guard table.isContained else { continue }
            // Contained entities of a parent whose collection came, and that did not come with it.
            try coverage.remove(
                where: """
                    "$queries" = 0 AND "$state" & \(RowCoverage.kept.rawValue) = 0
                    AND "$parent" IN (SELECT "row" FROM \(staged("$map")))
                    """,
                in: table
            )
        }
    }
}
