package import ODataSQL
package import ODataSQLite
import ODataValues
import ODataAnswers
package import ODataTables

/// What the store holds of a stream.
package struct HeldFile: Sendable {
    /// The entity's row; nil where the store does not have the entity.
    package private(set) var row: Int64?
    /// Bytes of the content; nil where the store has none.
    package private(set) var byteCount: Int64?
    /// Whether a change of the stream waits.
    package private(set) var isChangedHere = false
    /// Whether a defining query brings the stream, so that it neither expires nor is evicted.
    package private(set) var isDurable = false

    /// Looks for a stream; in a read transaction.
    package init(_ address: StreamAddress, query: TableQuery) throws {
        guard let found = try query.rows(address.owner).first,
            let table = query.layout[found.source]
        else { return }
        let connection = query.connection
        row = found.row
        byteCount = try StreamTable(connection).head(of: found.row, property: address.property)?
            .byteCount
        isChangedHere = try Self.isChanged(found.row, property: address.property, on: connection)
        isDurable = try Self.isDurable(found.row, in: table, on: connection)
    }

    package static func isChanged(_ row: Int64, property: String, on connection: SQLiteConnection)
        throws
        -> Bool
    {
        try connection.integer(
            "SELECT 1 FROM \"$streamBase\" WHERE \"row\" = ?1 AND \"property\" = ?2",
            [.integer(row), .text(property)]
        ) != nil
    }

    package static func isDurable(
        _ row: Int64,
        in table: TableLayout,
        on connection: SQLiteConnection
    )
        throws -> Bool
    {
        try DefiningQueries(connection).all().contains { query in
            guard query.retrievesStreams else { return false }
            return try connection.integer(
                "SELECT 1 FROM \(table.sql) WHERE \"$id\" = ?1 AND \(query.holds())",
                [.integer(row)]
            ) != nil
        }
    }
}
