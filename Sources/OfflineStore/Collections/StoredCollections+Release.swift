package import ODataSQLite
import ODataBinding
import StoreRecords
import ODataSQL
import ODataModel
package import ODataTables

extension StoredCollections {
    /// Takes an entity out of every stored collection, and out of the store where no defining query holds it; what is changed here
    /// stays.
    ///
    /// - Returns: Whether the store has it no more.
    package func release(_ url: String, on connection: SQLiteConnection, in schema: TableSchema)
        throws -> Bool
    {
        let request = try BoundRequest(ofService: url, in: schema.model)
        guard case .entities(let path) = request.resource,
            let row = try TableQuery(connection, layout: schema.layout).rows(path).first
        else { return false }
        let coverage = RowCoverage(connection, layout: schema.layout)
        // A copy with changes is not evicted: without it, there is nothing to go back to.
        let state = try schema.layout[row.source].map {
            try RowRebuild(connection, layout: schema.layout).state(of: row.row, $0)
        }
        guard state?.isDisjoint(with: RowCoverage.kept) ?? true else { return false }
        var removed = 0
        for collection in try holding(row: row.row) {
            if StoredFiles.isFile(collection) {
                removed += try remove(collection, in: schema)
                continue
            }
            removed += try coverage.release([row.row], of: collection.query)
            try forgetVersion(of: collection)
        }
        // What was uploaded and has not come back yet is held by nothing but the next download.
        if let table = schema.layout[row.source] {
            removed += try coverage.removeUncovered(
                in: table,
                isComplete: true,
                where: "\"$id\" = \(row.row)"
            )
        }
        return removed > 0
    }

    /// Removes entities that nothing holds: their changes were uploaded after their copies had gone, or they were created here; what a
    /// defining query may still bring stays.
    ///
    /// - Parameter entitySet: Only those of this set; nil for all.
    /// - Returns: How many went.
    package func releaseUnheld(
        of entitySet: String?,
        on connection: SQLiteConnection,
        in schema: TableSchema
    ) throws -> Int {
        let coverage = RowCoverage(connection, layout: schema.layout)
        let queried = try DefiningQueries(connection).all()
            .reduce(into: Set<NavigationSource>()) { sources, query in
                sources.formUnion(QueryReach.sources(of: query, in: schema))
            }
        var removed = 0
        for table in try TableCatalog(connection, layout: schema.layout).tables()
        where !queried.contains(table.source) {
            let name = schema.model.name(of: table.source)
            guard entitySet == nil || entitySet == name else { continue }
            removed += try coverage.removeUncovered(in: table, isComplete: true)
        }
        return removed
    }

    /// A copy that is not whole any more is no version that the service knows: it is asked for all of it again.
    private func forgetVersion(of collection: StoredCollection) throws {
        var collection = collection
        (collection.validator, collection.deltaLink) = (nil, nil)
        try update(collection)
    }

    /// Returns how many bytes the answers of all collections had: their attributes begin with that number.
    package func byteCount(_ connection: SQLiteConnection) throws -> Int {
        Int(
            try connection.integer(
                "SELECT total(CAST(\"attributes\" AS INTEGER)) FROM \"$collection\""
            ) ?? 0
        )
    }
}
