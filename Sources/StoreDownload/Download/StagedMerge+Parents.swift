import StoreRecords
import ODataSQL
import ODataSQLite
import ODataValues
import ODataBinding
import OfflineStore
import ODataModel
import ODataTables

/// Queries for a collection inside of one entity, such as `Orders(1)/Lines`: what they bring is contained in an existing row.
extension StagedMerge {
    /// Whether a query asks for contained entities without those that contain them, so that these have to be there first.
    static func needsParent(_ query: DefiningQuery, in schema: TableSchema) -> Bool {
        if case .contained? = QueryReach.ownSource(of: query, in: schema) { true } else { false }
    }

    /// Gives staged entities that came without what contains them the row that the query's URL names.
    ///
    /// - Throws: ``Refusal`` where the store does not have it.
    func adoptContained(_ table: TableLayout) throws {
        guard table.isContained, table.source == ownSource else { return }
        let rows = staged(table.name)
        let hasOrphans = try connection.integer(
            "SELECT 1 FROM \(rows) WHERE \"$parent\" IS NULL LIMIT 1"
        )
        guard hasOrphans != nil else { return }
        guard let parent = try ownParent() else {
            throw Refusal(
                message:
                    "the query asks for what is inside of an entity that the store does not have:"
                    + " add a query that brings the entity"
            )
        }
        // A number that no staged row has stands for it.
        try connection.run(
            "INSERT OR IGNORE INTO \(staged("$map")) VALUES (?1, ?2, \(Kind.known.rawValue))",
            [.integer(-parent), .integer(parent)]
        )
        try connection.run(
            "UPDATE \(rows) SET \"$parent\" = ?1 WHERE \"$parent\" IS NULL",
            [.integer(-parent)]
        )
    }

    /// The row of the entity that contains what the query asks for.
    private func ownParent() throws -> Int64? {
        guard var path = EntityPath(ofService: query.url, in: schema.model)
        else { return nil }
        while let step = path.steps.popLast() {
            if case .navigation = step { break }
        }
        while case .complex? = path.steps.last { path.steps.removeLast() }
        if let row = try TableQuery(connection, layout: layout).rows(path).first { return row.row }
        return try QueueEditor(connection, schema: schema).deletedEntity(path)?.row
    }
}
