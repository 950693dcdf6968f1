package import StoreRecords
import ODataSQLite
import ODataValues
import ODataModel

/// Where the rest of a collection inside of an entity is to be had (OData JSON 4.01 § 4.5.5).
package struct NestedLink: Sendable {
    var id: Int64
    /// The staged row of the entity, and its table.
    var row: Int64
    var table: String
    var navigation: NavigationPropertyID
    /// As the service wrote it.
    package var link: String

    /// Returns the links of a query that have not been followed yet.
    package static func all(_ query: DefiningQuery, in staging: StagingFile) async throws
        -> [NestedLink]
    {
        let name = StagingFile.name(of: "$nested", query: query)
        return try await staging.queue.run { connection in
            var links: [NestedLink] = []
            guard
                try connection.integer(
                    "SELECT 1 FROM sqlite_schema WHERE \"name\" = ?1",
                    [.text(name)]
                ) != nil
            else { return [] }
            try connection.forEachRow(
                """
                SELECT "id", "source", "table", "type", "navigation", "link"
                FROM \(name.sqlQuoted) ORDER BY "id"
                """
            ) { row in
                let id = NavigationPropertyID(row, at: 3)
                links.append(
                    NestedLink(
                        id: row.integer(0),
                        row: row.integer(1),
                        table: row.string(2),
                        navigation: id,
                        link: row.string(5)
                    )
                )
            }
            return links
        }
    }
}
