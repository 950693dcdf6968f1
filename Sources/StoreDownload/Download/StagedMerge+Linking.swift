import StoreRecords
import ODataSQL
import ODataSQLite
import ODataValues
import ODataModel
import ODataPayload
import ODataTables

/// Makes and ends single relations as the service has them, below what is changed here.
extension StagedMerge {
    /// Carries out a change; answers false for one that cannot be written down, since a foreign key cannot be null.
    func apply(_ change: RelationChange) throws -> Bool {
        let target =
            layout.model.target(of: change.navigation, from: change.source.source)
            ?? change.target?.source
        if change.isAdded, let row = change.target { try hold(row, change: change) }
        switch layout.relationship(change.navigation, from: change.source.source, to: target) {
        case .links(let name, let isReversed):
            try link(change, named: name, isReversed: isReversed)
            return true
        case .dependent(let pairs):
            return try setForeignKey(
                of: change.source,
                pairs: pairs,
                principal: change.target,
                isAdded: change.isAdded
            )
        case .principal(let pairs):
            guard let holder = change.target else { return true }
            return try setForeignKey(
                of: holder,
                pairs: pairs.map(\.flipped),
                principal: change.source,
                isAdded: change.isAdded
            )
        case .contained, .unbound: return true
        }
    }

    /// Links a target that was missing before; returns whether it exists now.
    func relate(_ missing: MissingTarget) throws -> Bool {
        let place = Place(owner: missing.source, navigation: missing.navigation)
        guard let target = try named(missing.id, at: place).row else { return false }
        return try apply(
            RelationChange(
                sequence: 0,
                isAdded: true,
                source: missing.source,
                navigation: missing.navigation,
                target: target
            )
        )
    }

    /// Whether the query brings what a relation leads to.
    func expands(_ missing: MissingTarget) -> Bool {
        leads.contains {
            $0.navigation == missing.navigation && $0.source == missing.source.source
        }
    }

    /// Whether the same payload makes a relation that it ends further ahead.
    func isLinkedLater(_ change: RelationChange) throws -> Bool {
        guard let target = change.target else { return false }
        return try connection.integer(
            """
            SELECT 1 FROM \(staged("$links")) l JOIN \(staged("$map")) x ON x."staged" = l."source"
            JOIN \(staged("$map")) y ON y."staged" = l."target"
            WHERE l."type" = \(change.navigation.type.index) AND l."navigation" = \(change.navigation.index)
                AND x."row" = ?1 AND y."row" = ?2 AND l."target" > ?3 LIMIT 1
            """,
            [.integer(change.source.row), .integer(target.row), .integer(change.sequence)]
        ) != nil
    }

    /// The query holds what its entities lead to, whether it came again or not.
    private func hold(_ target: RowReference, change: RelationChange) throws {
        guard let table = layout[target.source],
            leads.contains(where: {
                $0.navigation == change.navigation && $0.source == change.source.source
            })
        else { return }
        try mark(table, where: "\"$id\" = \(target.row)")
        guard query.keepsMembers else { return }
        try connection.run(
            "INSERT OR IGNORE INTO main.\"$member\" (\"query\", \"row\") VALUES (?1, ?2)",
            [.integer(Int64(query.slot)), .integer(target.row)]
        )
    }

    // MARK: Link tables

    private func link(_ change: RelationChange, named name: String, isReversed: Bool) throws {
        let rows = RowEditor(catalog)
        let source = change.source.row
        let isSingle = !layout.model[change.navigation].isCollection
        if isSingle || change.target == nil {
            // What the property led to before goes, of what is changed here only in what the service has.
            let linked = try rows.linked(to: source, table: name, isReversed: isReversed)
            let waiting = try EffectJournal(connection).baseLinked(
                to: source,
                in: name,
                isReversed: isReversed
            )
            for other in Set(linked + waiting)
            where other != change.target?.row && (change.isAdded || change.target == nil) {
                try set(source, to: other, named: name, isReversed: isReversed, isThere: false)
            }
        }
        guard let target = change.target else { return }
        try set(
            source,
            to: target.row,
            named: name,
            isReversed: isReversed,
            isThere: change.isAdded
        )
        try replaceTheirs(change.navigation, named: name, isReversed: isReversed)
    }

    private func set(
        _ source: Int64,
        to target: Int64,
        named name: String,
        isReversed: Bool,
        isThere: Bool
    ) throws {
        let (first, second) = isReversed ? (target, source) : (source, target)
        let link = RowLink(table: name, source: first, target: second)
        let journal = EffectJournal(connection)
        guard try journal.base(of: link) == nil else {
            return try journal.setBase(of: link, isThere: isThere)
        }
        let rows = RowEditor(catalog)
        linkCount.value +=
            isThere
            ? try rows.link(source, to: target, table: name, isReversed: isReversed)
            : try rows.unlink(source, to: target, table: name, isReversed: isReversed)
    }

    // MARK: Foreign keys

    /// Gives a row the foreign key that leads to another one, or takes it away; answers whether that can be done.
    private func setForeignKey(
        of dependent: RowReference,
        pairs: [Relationship.ColumnPair],
        principal: RowReference?,
        isAdded: Bool
    ) throws -> Bool {
        guard let table = layout[dependent.source] else { return true }
        let own = pairs.filter { table.columns[$0.here].keyIndex == nil }
        var body = EntityBody(
            plan: EntityPlan(type: table.entityType, destination: 0, members: [], isOpen: false)
        )
        let key = try principal.map { try stored($0) } ?? nil
        if isAdded {
            guard let key else { return true }
            for pair in own { body.set(key[pair.there], slot: pair.here) }
        } else {
            let present = try stored(dependent)
            // It may lead to another one by now.
            if let key, let present, pairs.contains(where: { present[$0.here] != key[$0.there] }) {
                return true
            }
            if let key, try states(key, of: dependent, pairs: pairs, in: table) { return true }
            guard let first = own.first(where: { table.columns[$0.here].isNullable }) else {
                return false
            }
            body.set(.null, slot: first.here)
        }
        try write(body, to: dependent.row, in: table)
        return true
    }

    /// Whether the payload brings an entity with the foreign key that a relation is said to be ended of: its values are those of now,
    /// and what the relation led to before had the same key.
    private func states(
        _ key: [Scalar],
        of dependent: RowReference,
        pairs: [Relationship.ColumnPair],
        in table: TableLayout
    ) throws -> Bool {
        guard try stagedNames().contains(StagingFile.name(of: table.name, query: query)) else {
            return false
        }
        let columns = pairs.map { "s." + table.columns[$0.here].sql }.joined(separator: ", ")
        let stated = try connection.firstRow(
            """
            SELECT \(columns) FROM \(staged(table.name)) s JOIN \(staged("$map")) x ON x."staged" = s."$id"
            WHERE x."row" = ?1 ORDER BY s."$id" DESC LIMIT 1
            """,
            [.integer(dependent.row)]
        ) { row in pairs.indices.map { row.scalar($0) } }
        return stated == pairs.map { key[$0.there] }
    }

    /// The values that the service has of a row, as far as is known.
    func stored(_ row: RowReference) throws -> [Scalar]? {
        guard let table = layout[row.source] else { return nil }
        let rows = RowEditor(catalog)
        for name in [table.serverName, table.baseName, table.name] where try catalog.exists(name) {
            if let values = try rows.values(of: row.row, in: table, named: name) { return values }
        }
        return nil
    }

    /// Writes values that the service has; what is changed here stays over them.
    private func write(_ body: EntityBody, to row: Int64, in table: TableLayout) throws {
        let rebuild = RowRebuild(connection, layout: layout)
        let rows = RowEditor(catalog)
        guard try rebuild.has(row, in: table.baseName) else {
            return try rows.update(row, in: table, with: body)
        }
        for name in [table.baseName, table.serverName] where try rebuild.has(row, in: name) {
            try rows.update(row, in: table, with: body, named: name)
        }
        try rebuild.rebuild([ChangedRow(table: table.name, row: row)], links: [])
    }
}
