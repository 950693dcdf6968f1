import ODataBinding
import StoreRecords
import ODataSQL
import ODataSQLite
import ODataTables

/// Queries along a navigation property, such as `Orders(1)/Tags`: where they ask says what their entities are related to
/// (OData 4.01 Part 2 § 4.3).
extension StagedMerge {
    /// The entity and the property at the end of the query's path; nil for other queries, and while the entity is not in the store.
    func queriedPlace() throws -> Place? {
        guard let path = bound?.path, case .navigation(let id, _)? = path.steps.last else {
            return nil
        }
        var owner = path
        owner.steps.removeLast()
        guard owner.isSingle(in: schema.model),
            let row = try TableQuery(connection, layout: layout).rows(owner).first
        else { return nil }
        return Place(owner: row, navigation: id)
    }

    /// Whether options of the query keep some of what its path leads to away.
    var isRestricted: Bool { bound.map { QuerySelection.isRestricted($0.options) } ?? true }

    /// Relates the entities that came to the one that the path begins with; after a whole read, and no others.
    func relatePlace() throws {
        guard let place = try queriedPlace(), let ownSource, layout[ownSource]?.isContained == false
        else { return }
        let come = try ownRows()
        if !isDelta, !isIncomplete, !isRestricted {
            let former = try TableQuery(connection, layout: layout)
                .targets(of: [place.owner.row], by: place.navigation, from: place.owner.source)
            for item in former where !come.contains(item.target) {
                try relate(place, to: item.target, isAdded: false)
            }
        }
        for row in come { try relate(place, to: row, isAdded: true) }
    }

    private func relate(_ place: Place, to row: Int64, isAdded: Bool) throws {
        guard let ownSource else { return }
        _ = try apply(
            RelationChange(
                sequence: 0,
                isAdded: isAdded,
                source: place.owner,
                navigation: place.navigation,
                target: RowReference(source: ownSource, row: row)
            )
        )
    }

    /// The rows of the entities that the query itself asks for, in the order in which they came.
    private func ownRows() throws -> [Int64] {
        guard let table = ownSource.flatMap({ layout[$0] }),
            try stagedNames().contains(
                StagingFile.name(of: table.name, query: query)
            )
        else { return [] }
        var rows: [Int64] = []
        try connection.forEachRow(
            """
            SELECT x."row" FROM \(staged("$map")) x JOIN \(staged(table.name)) s ON s."$id" = x."staged"
            WHERE x."staged" NOT IN
                (SELECT "target" FROM \(staged("$links")) WHERE "target" IS NOT NULL)
            GROUP BY x."row" ORDER BY min(x."staged")
            """
        ) { rows.append($0.integer(0)) }
        return rows
    }

    private var bound: (path: EntityPath, options: BoundOptions)? {
        guard let asked = AddressedEntities(query.url, in: schema.model)
        else { return nil }
        return (asked.path, asked.options)
    }
}
