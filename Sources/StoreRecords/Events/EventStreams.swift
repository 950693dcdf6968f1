package import ODataSQLite
import ODataValues
package import ODataAnswers

/// Contents of streams that lost in a conflict, kept as long as their event.
package struct EventStreams {
    private static let table = "$eventStream"
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Keeps a content with an event.
    func keep(_ content: Int64, with event: Int64) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(Self.table.sqlQuoted) (
                "event" INTEGER PRIMARY KEY, "content" INTEGER NOT NULL)
            """
        )
        try connection.run(
            "INSERT OR REPLACE INTO \(Self.table.sqlQuoted) VALUES (?1, ?2)",
            [.integer(event), .integer(content)]
        )
    }

    /// Whether an event keeps a content.
    func keeps(_ content: Int64) throws -> Bool {
        guard try isUsed() else { return false }
        return try connection.integer(
            "SELECT 1 FROM \(Self.table.sqlQuoted) WHERE \"content\" = ?1",
            [.integer(content)]
        ) != nil
    }

    /// Returns the content that an event keeps; nil where it keeps none.
    package func head(ofEvent event: Int64) throws -> StreamTable.Head? {
        guard try isUsed() else { return nil }
        let content = try connection.integer(
            "SELECT \"content\" FROM \(Self.table.sqlQuoted) WHERE \"event\" = ?1",
            [.integer(event)]
        )
        return try content.flatMap { try StreamTable(connection).head(content: $0) }
    }

    /// Forgets the contents of events that are gone.
    func sweep() throws {
        guard try isUsed() else { return }
        var contents: [Int64] = []
        try connection.forEachRow(
            """
            DELETE FROM \(Self.table.sqlQuoted) WHERE "event" NOT IN (SELECT "id" FROM "$event")
            RETURNING "content"
            """
        ) { contents.append($0.integer(0)) }
        try StoreStreams(connection).sweep(contents)
    }

    /// Few stores ever have such a conflict.
    private func isUsed() throws -> Bool { try connection.tableNames().contains(Self.table) }
}
