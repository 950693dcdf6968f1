import ODataSQL
import StoreRecords
import ODataSQLite
import ODataValues
import ODataModel
import ODataTables

/// What a delta takes from the entities that the query reaches by its expands.
///
/// No delta reports such an entity after its last incoming link is gone (OData 4.01 Part 1 § 11.3.1): that
/// is found out here. A full read needs none of this, since what it does not bring is not the query's.
extension StagedMerge {
    /// Where an entity led to before the merge.
    struct FormerTarget: Hashable {
        var lead: Int
        var source: Int64
        var target: Int64
    }

    // MARK: Before

    /// Where the rows of a table that have come led to.
    func formerTargets(of table: TableLayout) throws -> [FormerTarget] {
        guard leads.contains(where: { $0.source == table.source }) else { return [] }
        var rows: [Int64] = []
        try connection.forEachRow(
            """
            SELECT DISTINCT x."row" FROM \(staged("$map")) x
            JOIN \(staged(table.name)) s ON s."$id" = x."staged"
            WHERE x."kind" <> \(Kind.new.rawValue)
            """
        ) { rows.append($0.integer(0)) }
        return try formerTargets(of: rows, in: table.source)
    }

    /// Where some rows lead to.
    func formerTargets(of rows: [Int64], in source: NavigationSource) throws -> [FormerTarget] {
        guard !rows.isEmpty else { return [] }
        var former: [FormerTarget] = []
        for (index, lead) in leads.enumerated()
        where try lead.source == source && isStored(source) && isStored(lead.target) {
            let targets = try TableQuery(connection, layout: layout)
                .targets(of: rows, by: lead.navigation, from: source)
            former += try (targets + baseTargets(of: rows, by: lead))
                .map { FormerTarget(lead: index, source: $0.source, target: $0.target) }
        }
        return former
    }

    /// What local links have led to that are there no more, as if an entity without number had led there.
    func unledTargets() throws -> [FormerTarget] {
        guard !leads.isEmpty else { return [] }
        let rows = try OrphanedRows.noted(connection)
        var former: [FormerTarget] = []
        for (index, lead) in leads.enumerated() {
            guard let table = layout[lead.target], try catalog.exists(table.name) else { continue }
            for row in rows
            where try RowRebuild(connection, layout: layout).has(row, in: table.name) {
                former.append(FormerTarget(lead: index, source: 0, target: row))
            }
        }
        return former
    }

    private func isStored(_ source: NavigationSource) throws -> Bool {
        guard let table = layout[source] else { return false }
        return try catalog.exists(table.name)
    }

    // MARK: After

    /// Takes the query's mark from the entities that nothing leads to any more, and from those below them.
    ///
    /// - Parameter ended: What is not led to any more although a foreign key still says so.
    func releaseOrphans(
        _ former: [FormerTarget],
        ended: Set<FormerTarget>,
        into result: inout Result
    ) throws {
        // What a collection does not bring is not in it, whatever a foreign key that is out of date says.
        var lapsed = Set(former)
        for (index, lead) in leads.enumerated() {
            lapsed.subtract(try lastingTargets(lead, at: index, former: former))
        }
        lapsed.formUnion(ended)
        var waiting = former
        // A row that something still leads to is looked at again when that goes as well.
        var released: Set<RowReference> = []
        while let next = waiting.popLast() {
            let target = leads[next.lead].target
            let row = RowReference(source: target, row: next.target)
            guard target != ownSource, let table = layout[target], !released.contains(row),
                try !isHeld(row, lapsed: lapsed)
            else { continue }
            released.insert(row)
            let below = try formerTargets(of: [row.row], in: target)
            // Another query may hold the entity, and not what is below it.
            try release(row, from: next.source, in: table, into: &result)
            lapsed.formUnion(below)
            waiting += below
        }
        // The link is gone for all queries: those that are merged after this one do not see any more that it was there.
        try OrphanedRows.note(released.map(\.row), on: connection)
        try holdAgain(lapsed: lapsed, &result)
    }

    /// Gives the query's mark back to what has left its own result and is brought by an expand still, wherever in the delta each stands.
    private func holdAgain(lapsed: Set<FormerTarget>, _ result: inout Result) throws {
        guard !query.keepsMembers else { return }
        var left = result.left.filter { row in leads.contains { $0.target == row.source } }
        while let place = try left.firstIndex(where: { try isHeld($0, lapsed: lapsed) }) {
            let row = left.remove(at: place)
            guard let table = layout[row.source] else { continue }
            try mark(table, where: "\"$id\" = \(row.row)")
            result.lapsed.removeAll { $0 == row.row }
            result.expanded.append(row.row)
        }
    }

    /// The former targets of a property that are still its targets: its value was not sent, or contains them.
    private func lastingTargets(
        _ lead: QueryLead,
        at index: Int,
        former: [FormerTarget]
    ) throws -> Set<FormerTarget> {
        let ofProperty = """
            l."type" = \(lead.navigation.type.index) AND l."navigation" = \(lead.navigation.index)
            """
        var known: Set<Int64> = []
        var come: Set<FormerTarget> = []
        try connection.forEachRow(
            """
            SELECT x."row", y."row", l."target" FROM \(staged("$links")) l
            JOIN \(staged("$map")) x ON x."staged" = l."source"
            LEFT JOIN \(staged("$map")) y ON y."staged" = l."target" WHERE \(ofProperty)
            """
        ) { row in
            // Changes of a collection say nothing of the rest of it.
            if row.isNull(2) { known.insert(row.integer(0)) }
            guard case .integer(let target) = row.scalar(1) else { return }
            come.insert(FormerTarget(lead: index, source: row.integer(0), target: target))
        }
        return come.union(former.filter { $0.lead == index && !known.contains($0.source) })
    }

    /// Whether an entity that the query brings leads to a row.
    private func isHeld(_ row: RowReference, lapsed: Set<FormerTarget>) throws -> Bool {
        for (index, lead) in leads.enumerated()
        where try lead.target == row.source && isStored(lead.source) {
            let besides = lapsed.filter { $0.lead == index && $0.target == row.row }.map(\.source)
            let isHeld = try TableQuery(connection, layout: layout).hasOwner(
                row.row,
                by: lead.navigation,
                from: lead.source,
                holding: query.holds,
                besides: besides
            )
            // What the service has may be hidden here by a waiting change, such as the deletion of the entity at the other end.
            if try isHeld || hasBaseOwner(row.row, by: lead, besides: Set(besides)) { return true }
        }
        return false
    }

    /// Takes the query's mark from a row.
    ///
    /// - Parameter owner: The row that has led there. Where it has left the query itself, nothing is known of what it contains now.
    private func release(
        _ row: RowReference,
        from owner: Int64,
        in table: TableLayout,
        into result: inout Result
    ) throws {
        let coverage = RowCoverage(connection, layout: layout)
        let condition = "\"$id\" = \(row.row)"
        try coverage.clear(query, in: table, where: condition)
        if case .contained(let id) = table.source {
            // What the query asks for a part of says nothing of what another query brings.
            let isPart = try sharedProperties().contains(id) || !cameLater(owner, than: 0)
            if !isPart,
                try RowRebuild(connection, layout: layout).isDeleted(row.row, in: table)
            {
                // It is deleted here with its parent, and does not come back with it.
                return try markGone("SELECT \(row.row)", in: table)
            }
            let gone = try coverage.removeGone(
                where: condition + (isPart ? " AND \"$queries\" = 0" : "")
                    + " AND \"$state\" & \(RowCoverage.kept.rawValue) = 0",
                in: table
            )
            result += gone
            // Another query may bring what contains it, and not this.
            if gone.removed == 0 { result.lapsed.append(row.row) }
            return
        }
        result.lapsed.append(row.row)
    }
}
