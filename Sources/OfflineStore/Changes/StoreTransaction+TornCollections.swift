import ODataAnswers
import ODataBinding
import ODataModel
import ODataSQL
import ODataTables
import StoreRecords

/// Collections of which the store has members of the items, and not the whole items.
extension StoreTransaction {
    /// Refuses to change a collection whose items were downloaded in part: the change would replace them at the service, without the
    /// members that are unknown here.
    ///
    /// - Throws: `EditError` that names the defining query.
    func refuseTornCollections(
        in body: EntityBody,
        of entity: RowReference,
        _ table: TableLayout
    ) throws {
        let changed = table.columns.indices.filter { place in
            table.columns[place].kind == .json && body.mentions(place)
                && isCollection(table.columns[place])
        }
        guard !changed.isEmpty,
            try !RowRebuild(connection, layout: schema.layout).state(of: entity.row, table)
                .contains(.created)
        else { return }
        let queries = try DefiningQueries(connection).all()
        for place in changed {
            let path = table.columns[place].path
            guard
                let query = queries.first(where: {
                    QuerySelection.tears(path, of: table.source, $0, in: schema)
                })
            else { continue }
            let name = path.joined(separator: "/")
            throw EditError(
                .invalid,
                "the items of \(name) are known in part: the defining query \(query.name) selects some of their members; a change would"
                    + " remove the others at the service. Select \(name) as a whole, and download, before changing it"
            )
        }
    }

    private func isCollection(_ column: Column) -> Bool {
        schema.model.property(column.path, of: column.declaringType)?.type.isCollection ?? false
    }
}
