package import ODataSQLite
import ODataValues

/// The last things that happened to a store.
package struct EventLog {
    /// How many events are kept, of the losing sides of conflicts and of all others.
    static let capacity = 100
    /// The type of events that hold the losing side of a conflict: others do not push them out.
    package static let conflict = "Conflict"

    /// An event.
    package struct Event: Sendable {
        package var id: Int64
        /// Upload, Download, Upgrade, Conflict, ….
        package var type: String
        package var details: String?
        /// Time in RFC 3339, UTC.
        package var time: String
    }

    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Writes an event and forgets those beyond the capacity.
    ///
    /// - Parameter stream: A content that is kept with the event.
    package func add(_ type: String, details: String?, stream: Int64? = nil) throws {
        let id = try connection.nextNumber("event")
        try connection.run(
            "INSERT INTO \"$event\" VALUES (?1, ?2, ?3, ?4)",
            [.integer(id), .text(type), details.map { .text($0) } ?? .null, .text(Timestamp.now)]
        )
        try connection.run(
            """
            DELETE FROM "$event" WHERE "id" <= ?1 AND ("type" = ?2) = ?3 AND "id" NOT IN (
                SELECT "id" FROM "$event" WHERE ("type" = ?2) = ?3 ORDER BY "id" DESC LIMIT ?4)
            """,
            [
                .integer(id - Int64(Self.capacity)), .text(Self.conflict),
                .integer(type == Self.conflict ? 1 : 0), .integer(Int64(Self.capacity)),
            ]
        )
        if let stream { try EventStreams(connection).keep(stream, with: id) }
        if type == Self.conflict { try EventStreams(connection).sweep() }
    }

    /// Returns the events, newest first.
    package func events() throws -> [Event] {
        var events: [Event] = []
        try connection.forEachRow(
            "SELECT \"id\", \"type\", \"details\", \"time\" FROM \"$event\" ORDER BY \"id\" DESC"
        ) { row in
            events.append(
                Event(
                    id: row.integer(0),
                    type: row.string(1),
                    details: row.optionalString(2),
                    time: row.string(3)
                )
            )
        }
        return events
    }
}

extension SQLiteConnection {
    /// Takes the next number of a counter of the file.
    package func nextNumber(_ counter: String) throws -> Int64 {
        try integer(
            "UPDATE \"$meta\" SET \"value\" = \"value\" + 1 WHERE \"key\" = ?1 RETURNING \"value\"",
            [.text(counter)]
        ) ?? 1
    }
}
