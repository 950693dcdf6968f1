import StoreRecords
import ODataSQL
import ODataSQLite
import ODataValues
import StoreUpload
import ODataModel
import ODataPayload
import ODataTables

/// Merges removals: rows that the service has deleted, or that left the result of the query.
extension StagedMerge {
    /// A tombstone; inside of an entity, with its place.
    struct Tombstone {
        var sequence: Int64
        var id: String
        var reason: RemovalReason
        var place: Place?
    }

    func removeTombstones(
        _ result: inout Result,
        former: inout [FormerTarget],
        inside: Set<Int64>,
        noting stray: inout StrayIDs
    ) throws -> [RelationChange] {
        var changes: [RelationChange] = []
        for var tombstone in try tombstones() {
            let named = try named(tombstone.id, at: tombstone.place)
            if case .none = named { stray.removals.append(tombstone.id) }
            guard let entity = named.row, let table = layout[entity.source] else { continue }
            if tombstone.reason == .deleted, try isShownEarlier(entity.row) {
                tombstone.reason = .changed
                try endLeads(to: entity, after: tombstone.sequence)
            }
            if let change = unlinking(entity, in: table, tombstone: tombstone) {
                changes.append(change)
                continue
            }
            guard try !cameLater(entity.row, than: tombstone.sequence) else {
                if tombstone.reason == .changed, inside.contains(entity.row) {
                    result.expanded.append(entity.row)
                }
                if tombstone.reason == .deleted {
                    try forgetFormerValues(
                        of: entity,
                        in: table,
                        after: tombstone.sequence,
                        &result
                    )
                    try removeFormerSelf(of: entity, after: tombstone.sequence, &result)
                }
                continue
            }
            if let change = lostLink(entity, tombstone: tombstone) { changes.append(change) }
            former += try formerTargets(of: [entity.row], in: entity.source)
            try remove(entity, in: table, reason: tombstone.reason, into: &result)
        }
        return changes
    }

    /// An entity that was created again with the key of a deleted one has nothing of its values: what came is all that is known.
    private func forgetFormerValues(
        of entity: RowReference,
        in table: TableLayout,
        after sequence: Int64,
        _ result: inout Result
    ) throws {
        let columns = loadedColumns(table).filter { $0 != SystemColumn.etag.sql }
        let values = columns.map { "\($0) = s.\($0)" }.joined(separator: ", ")
        let isCounted = try connection.integer(
            "SELECT 1 FROM main.\(table.sql) WHERE \"$id\" = ?1 AND \"$stamp\" = ?2",
            [.integer(entity.row), .integer(stamp)]
        )
        try connection.run(
            """
            UPDATE main.\(table.sql) AS m SET \(values), "$stamp" = ?3
            FROM \(staged(table.name)) s JOIN \(staged("$map")) x ON x."staged" = s."$id"
            WHERE m."$id" = ?1 AND x."row" = ?1 AND x."staged" > ?2
                AND m."$state" & \(RowState.waiting.rawValue) = 0
                AND (\(Self.anyOf(columns.map { "m.\($0) IS NOT s.\($0)" })))
            """,
            [.integer(entity.row), .integer(sequence), .integer(stamp)]
        )
        if isCounted == nil { result.updated += connection.changedRowCount }
    }

    /// Whether another query of the same download has brought an entity: what was deleted may have been created again with its key.
    ///
    /// Where it was deleted after that, the next answer to the other query says so.
    func isShownEarlier(_ row: Int64) throws -> Bool {
        try earlier.contains { other in
            let map = Self.staged("$map", query: other)
            return try connection.integer("SELECT 1 FROM \(map) WHERE \"row\" = \(row)") != nil
        }
    }

    /// Inside of an entity, what was not deleted has only left the collection (OData JSON 4.01 § 15.3).
    private func unlinking(_ entity: RowReference, in table: TableLayout, tombstone: Tombstone)
        -> RelationChange?
    {
        guard let place = tombstone.place, tombstone.reason == .changed, !table.isContained else {
            return nil
        }
        return unlinking(entity, at: place, sequence: tombstone.sequence)
    }

    /// What was deleted has lost its links there, and they do not come back when what waits here creates it again.
    ///
    /// A foreign key is a value of the entity itself, and is created again with it.
    private func lostLink(_ entity: RowReference, tombstone: Tombstone) -> RelationChange? {
        guard let place = tombstone.place, linkTable(place.navigation) != nil else { return nil }
        return unlinking(entity, at: place, sequence: tombstone.sequence)
    }

    private func unlinking(_ entity: RowReference, at place: Place, sequence: Int64)
        -> RelationChange
    {
        RelationChange(
            sequence: sequence,
            isAdded: false,
            source: place.owner,
            navigation: place.navigation,
            target: entity
        )
    }

    private func tombstones() throws -> [Tombstone] {
        var found: [(tombstone: Tombstone, parent: Int64?, navigation: NavigationPropertyID?)] = []
        try connection.forEachRow(
            """
            SELECT "sequence", "id", "reason", "parent", "type", "navigation"
            FROM \(staged("$removed")) ORDER BY "sequence"
            """
        ) { row in
            let tombstone = Tombstone(
                sequence: row.integer(0),
                id: row.string(1),
                reason: RemovalReason(rawValue: row.string(2)) ?? .deleted
            )
            let navigation = row.isNull(4) ? nil : NavigationPropertyID(row, at: 4)
            found.append((tombstone, row.isNull(3) ? nil : row.integer(3), navigation))
        }
        return try found.compactMap { item in
            guard let parent = item.parent, let navigation = item.navigation else {
                return item.tombstone
            }
            guard let place = try place(parent, navigation: navigation) else { return nil }
            var tombstone = item.tombstone
            tombstone.place = place
            return tombstone
        }
    }

    /// Remembers rows with local changes that the service has no more.
    ///
    /// What has another key there is missing by the one that it has here, and may be there.
    func markGone(_ selection: String, in table: TableLayout) throws {
        try GoneMarks(connection).insert(
            selection: UnreturnedKeys(connection).leftOut(of: selection)
        )
        try connection.execute(
            """
            UPDATE main.\(table.sql) SET "$state" = "$state" | \(RowState.conflict.rawValue)
            WHERE "$id" IN (SELECT "row" FROM main."$gone")
                AND "$state" & \(RowCoverage.kept.rawValue) <> 0
            """
        )
    }

    func cameLater(_ row: Int64, than sequence: Int64) throws -> Bool {
        try connection.integer(
            "SELECT 1 FROM \(staged("$map")) WHERE \"row\" = ?1 AND \"staged\" > ?2",
            [.integer(row), .integer(sequence)]
        ) != nil
    }

    func remove(
        _ entity: RowReference,
        in table: TableLayout,
        reason: RemovalReason,
        into result: inout Result
    ) throws {
        let coverage = RowCoverage(connection, layout: layout)
        guard reason == .deleted else {
            try coverage.clear(query, in: table, where: "\"$id\" = \(entity.row)")
            result.lapsed.append(entity.row)
            result.left.append(entity)
            guard table.isContained else { return }
            if try RowRebuild(connection, layout: layout).isDeleted(entity.row, in: table) {
                // It is deleted here, with its parent or alone, and does not come back with that.
                return try markGone(
                    "SELECT \"$id\" FROM main.\(table.baseName.sqlQuoted) WHERE \"$id\" = \(entity.row) AND \"$queries\" = 0",
                    in: table
                )
            }
            // What contains it may stay, so it would.
            let kept = RowCoverage.kept.rawValue
            result += try coverage.removeGone(
                where: "\"$id\" = \(entity.row) AND \"$queries\" = 0 AND \"$state\" & \(kept) = 0",
                in: table
            )
            return
        }
        let state = try RowEditor(catalog).value(SystemColumn.state.sql, of: entity.row, in: table)
        guard case .integer(let bits)? = state,
            RowState(rawValue: bits).isDisjoint(with: RowCoverage.kept)
        else {
            let rebuild = RowRebuild(connection, layout: layout)
            if try rebuild.state(of: entity.row, table).contains(.created) {
                try forgetTheirs(entity.row, in: table)
                return try rebuild.updateState(of: entity.row, table)
            }
            // The service has deleted what was changed here: both stay until the conflict is resolved.
            try markGone("SELECT \(entity.row)", in: table)
            // Deletion on both sides is none.
            if state != nil { result.conflicted.insert(entity.row) }
            return
        }
        result += try coverage.removeGone(entity.row, in: table)
    }

    /// The entity that another client created with the key of a pending creation is deleted again.
    private func forgetTheirs(_ row: Int64, in table: TableLayout) throws {
        try forgetServerCopy(of: row, table)
        try MemberRows(connection).remove(row: row)
        for name in try catalog.versions(of: table) {
            try connection.run(
                "UPDATE main.\(name.sqlQuoted) SET \"$queries\" = 0 WHERE \"$id\" = ?1",
                [.integer(row)]
            )
        }
    }

    func forgetServerCopy(of row: Int64, _ table: TableLayout) throws {
        guard try catalog.exists(table.serverName) else { return }
        try connection.run(
            "DELETE FROM main.\(table.serverName.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        )
    }

    /// A row with local changes that only this query held and that did not come is gone at the service, as far as we know.
    func markAbsent(_ table: TableLayout) throws {
        let isAbsent = """
            \(query.holdsAlone) AND "$state" & \(RowState.created.rawValue) = 0
                AND "$id" NOT IN (SELECT "row" FROM \(staged("$map")))
            """
        try markAbsent(
            """
            SELECT "$id" FROM main.\(table.sql)
            WHERE \(isAbsent) AND "$state" & \(RowState.waiting.rawValue) <> 0
            """,
            in: table
        )
        guard try catalog.exists(table.baseName) else { return }
        try markAbsent(
            """
            SELECT "$id" FROM main.\(table.baseName.sqlQuoted)
            WHERE \(isAbsent) AND "$id" NOT IN (SELECT "$id" FROM main.\(table.sql))
            """,
            in: table
        )
    }

    private func markAbsent(_ selection: String, in table: TableLayout) throws {
        var rows: [Int64] = []
        try connection.forEachRow(selection) { rows.append($0.integer(0)) }
        try AbsentRows(connection, schema: schema).note(rows)
        try markGone(selection, in: table)
    }

    /// After a full read: rows that this query held and that did not come are not its any more.
    ///
    /// - Parameter built: A set that has just come as a whole.
    func clearAbsent(_ result: inout Result, besides built: NavigationSource? = nil) throws {
        let coverage = RowCoverage(connection, layout: layout)
        let brought = QueryReach.sources(of: query, in: schema)
        let place = try queriedPlace()
        for table in try catalog.tables() where table.source != built {
            try markAbsent(table)
            let isAbsent = "\"$id\" NOT IN (SELECT \"row\" FROM \(staged("$map")))"
            let isHeld = query.holds()
            result.held += try count(in: table, where: isHeld)
            let lapsed = try coverage.rows(in: table, where: "\(isHeld) AND \(isAbsent)")
            result.lapsed += lapsed
            try coverage.clear(query, in: table, where: isAbsent)
            guard table.isContained else { continue }
            // Contained entities of a parent whose collection came, and that did not come with it.
            var condition = """
                "$queries" = 0 AND "$state" & \(RowCoverage.kept.rawValue) = 0
                AND "$parent" IN (\(parents(showing: table)))
                """
            if !brought.contains(table.source) {
                condition += " AND \"$id\" IN (\(lapsed.map(String.init).joined(separator: ", ")))"
            }
            result += try coverage.removeGone(where: condition, in: table)
            guard table.source == ownSource, let owner = place?.owner.row, !lapsed.isEmpty else {
                continue
            }
            // What contains them has not come: the path of the query names it.
            result += try coverage.removeGone(
                where: """
                    "$queries" = 0 AND "$state" & \(RowCoverage.kept.rawValue) = 0
                        AND "$parent" = \(owner)
                        AND "$id" IN (\(lapsed.map(String.init).joined(separator: ", ")))
                    """,
                in: table
            )
        }
    }

    /// The query for the rows whose contained entities of a table have come: what an entity leaves out, it says nothing about.
    private func parents(showing table: TableLayout) -> String {
        guard case .contained(let id) = table.source else {
            return "SELECT \"row\" FROM \(staged("$map"))"
        }
        return """
            SELECT m."row" FROM \(staged("$map")) m JOIN \(staged("$links")) l ON l."source" = m."staged"
            WHERE l."target" IS NULL AND l."type" = \(id.type.index) AND l."navigation" = \(id.index)
            """
    }

    private func count(in table: TableLayout, where condition: String) throws -> Int {
        Int(
            try connection.integer("SELECT count(*) FROM main.\(table.sql) WHERE \(condition)") ?? 0
        )
    }
}
