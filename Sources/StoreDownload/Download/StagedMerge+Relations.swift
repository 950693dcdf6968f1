import StoreRecords
import ODataSQL
import ODataSQLite
import ODataModel
import ODataPayload
import ODataTables

/// Merges relations that a payload names one by one: references in place of entities, links as entries of their own,
/// entities that have left a collection.
extension StagedMerge {
    /// Carries out changes of relations in the order of the payload.
    ///
    /// - Parameter unlinked: Those that tombstones inside of entities bring.
    func mergeRelationChanges(
        _ unlinked: [RelationChange],
        into result: inout Result,
        former: inout [FormerTarget],
        noting stray: inout StrayIDs
    ) throws -> Set<FormerTarget> {
        let changes =
            try unlinked + statedChanges(&result, noting: &stray)
            + UnstatedForeignKeys(self).changes()
        if isDelta, try omitsSentLinks(changes) { result.omitsLinks = true }
        var ended: Set<FormerTarget> = []
        for change in changes.sorted(by: { $0.sequence < $1.sequence }) {
            guard try change.isAdded || !isLinkedLater(change) else { continue }
            let before = try formerTargets(of: [change.source.row], in: change.source.source)
                .filter { leads[$0.lead].navigation == change.navigation }
            former += before
            guard try !removeContained(change, into: &result) else { continue }
            guard try !apply(change) else { continue }
            ended.formUnion(before.filter { $0.target == change.target?.row })
        }
        return ended
    }

    /// Removes a contained entity whose link has ended, since it exists nowhere else; answers false for any other change.
    private func removeContained(_ change: RelationChange, into result: inout Result) throws
        -> Bool
    {
        guard !change.isAdded,
            let target = layout.model.target(of: change.navigation, from: change.source.source),
            case .contained = target, let table = layout[target]
        else { return false }
        let rows =
            try change.target.map { [$0.row] }
            ?? formerTargets(of: [change.source.row], in: change.source.source)
            .filter { leads[$0.lead].navigation == change.navigation }.map(\.target)
        let rebuild = RowRebuild(connection, layout: layout)
        for row in rows
        where try !cameLater(row, than: change.sequence)
            && [table.name, table.baseName].contains(where: { try rebuild.has(row, in: $0) })
        {
            let entity = RowReference(source: target, row: row)
            try remove(entity, in: table, reason: .deleted, into: &result)
        }
        return true
    }

    // MARK: Reading

    /// References, and links that stand as entries of their own.
    private func statedChanges(_ result: inout Result, noting stray: inout StrayIDs) throws
        -> [RelationChange]
    {
        var changes: [RelationChange] = []
        for item in try stagedChanges() {
            guard let place = try item.place(self, noting: &stray) else { continue }
            var change = RelationChange(
                sequence: item.sequence,
                isAdded: item.isAdded,
                source: place.owner,
                navigation: place.navigation
            )
            if let id = item.target {
                let named = try named(id, at: place)
                if case .none = named { stray.links.append(id) }
                if case .absent = named, item.isAdded {
                    result.missing.append(
                        MissingTarget(source: place.owner, navigation: place.navigation, id: id)
                    )
                }
                change.target = named.row
                // A link to what the store does not have is none here.
                guard change.target != nil || !item.isAdded && hasOneContained(place) else {
                    continue
                }
            }
            changes.append(change)
        }
        return changes
    }

    /// Whether a property contains one entity at most, so that an ended link means that one.
    private func hasOneContained(_ place: Place) -> Bool {
        let property = layout.model[place.navigation]
        return property.containsTarget && !property.isCollection
    }

    private func stagedChanges() throws -> [StagedChange] {
        var found: [StagedChange] = []
        try connection.forEachRow(
            """
            SELECT "sequence", "isAdded", "source", "relationship", "target", "parent", "type", "navigation"
            FROM \(staged("$linkchange")) ORDER BY "sequence"
            """
        ) { row in
            found.append(
                StagedChange(
                    sequence: row.integer(0),
                    isAdded: row.integer(1) != 0,
                    source: row.optionalString(2),
                    relationship: row.optionalString(3),
                    target: row.optionalString(4),
                    parent: row.isNull(5) ? nil : (row.integer(5), NavigationPropertyID(row, at: 6))
                )
            )
        }
        return found
    }

    /// A change of a relation as it was staged.
    private struct StagedChange {
        var sequence: Int64
        var isAdded: Bool
        var source: String?
        var relationship: String?
        var target: String?
        var parent: (row: Int64, navigation: NavigationPropertyID)?

        /// Finds the entity that has the property.
        func place(_ merge: StagedMerge, noting stray: inout StrayIDs) throws -> Place? {
            if let parent { return try merge.place(parent.row, navigation: parent.navigation) }
            guard let source, let relationship else { return nil }
            let named = try merge.named(source)
            if case .none = named { stray.links.append(source) }
            guard let owner = named.row, let table = merge.layout[owner.source] else { return nil }
            // Behind the name of the type that declares it, or without: the entity may be of a derived one.
            let name = relationship.split(separator: "/").last.map(String.init) ?? relationship
            let rows = RowEditor(merge.catalog)
            let type = try rows.heldType(owner.row, in: table)
            return merge.layout.model.navigationProperty(name, of: type)
                .map { Place(owner: owner, navigation: $0) }
        }
    }
}
