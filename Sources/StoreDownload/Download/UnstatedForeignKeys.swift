import ODataSQL
import StoreRecords
import ODataSQLite
import ODataModel

/// Relations by foreign keys that a payload leaves out: the place where an entity stands says what it depends on.
struct UnstatedForeignKeys {
    private let merge: StagedMerge
    private var layout: Layout { merge.layout }

    /// A navigation property, and the end that holds the foreign key.
    private struct Relation {
        var navigation: NavigationPropertyID
        var source: NavigationSource
        var target: NavigationSource
        /// The table with the foreign key, and its columns.
        var holder: TableLayout
        var columns: [Column]
        /// Whether it is the table of the targets.
        var isHeldByTarget: Bool
    }

    init(_ merge: StagedMerge) {
        self.merge = merge
    }

    /// Returns the relations of entities that came without their foreign keys.
    func changes() throws -> [RelationChange] {
        let names = try merge.stagedNames()
        var changes: [RelationChange] = []
        for navigation in try merge.linkedProperties() {
            for table in merge.tables(with: navigation) {
                guard let relation = relation(navigation, from: table),
                    names.contains(StagingFile.name(of: relation.holder.name, query: merge.query))
                else { continue }
                changes += try self.changes(of: relation)
            }
        }
        return changes
    }

    private func relation(_ navigation: NavigationPropertyID, from table: TableLayout) -> Relation?
    {
        guard let source = layout.model.target(of: navigation, from: table.source),
            let target = layout[source]
        else { return nil }
        let (places, isHeldByTarget): ([Int], Bool)
        switch layout.relationship(navigation, from: table.source, to: source) {
        case .dependent(let pairs): (places, isHeldByTarget) = (pairs.map(\.here), false)
        case .principal(let pairs): (places, isHeldByTarget) = (pairs.map(\.there), true)
        case .contained, .links, .unbound: return nil
        }
        let holder = isHeldByTarget ? target : table
        return Relation(
            navigation: navigation,
            source: table.source,
            target: source,
            holder: holder,
            columns: places.map { holder.columns[$0] },
            isHeldByTarget: isHeldByTarget
        )
    }

    private func changes(of relation: Relation) throws -> [RelationChange] {
        // What a file of an import leaves out is null; a null that it states was refused.
        let isImport = merge.query.isImport
        let unknown = relation.columns.map {
            merge.isUnknown("s." + $0.sql, column: $0) + (isImport ? " OR s.\($0.sql) IS NULL" : "")
        }
        let end = relation.isHeldByTarget ? "y" : "x"
        let map = merge.staged("$map")
        var changes: [RelationChange] = []
        try merge.connection.forEachRow(
            """
            SELECT coalesce(l."target", l."source"), x."row", y."row" FROM \(merge.staged("$links")) l
            JOIN \(map) x ON x."staged" = l."source" LEFT JOIN \(map) y ON y."staged" = l."target"
            JOIN \(map) z ON z."row" = \(end)."row"
            JOIN \(merge.staged(relation.holder.name)) s ON s."$id" = z."staged"
            WHERE l."type" = \(relation.navigation.type.index)
                AND l."navigation" = \(relation.navigation.index) AND (\(unknown.joined(separator: " OR ")))
            """
        ) { changes.append(change($0, relation: relation)) }
        return changes
    }

    private func change(_ row: SQLiteStatement, relation: Relation) -> RelationChange {
        RelationChange(
            sequence: row.integer(0),
            isAdded: !row.isNull(2),
            source: RowReference(source: relation.source, row: row.integer(1)),
            navigation: relation.navigation,
            target: row.isNull(2)
                ? nil : RowReference(source: relation.target, row: row.integer(2))
        )
    }
}
