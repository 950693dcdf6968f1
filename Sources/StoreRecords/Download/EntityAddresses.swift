package import ODataSQLite
import ODataValues

/// The links of an entity that are not those of the convention.
package struct EntityAddress: Sendable, Equatable {
    /// The entity-id: what the service names the entity by, and nothing more.
    package var id: String?
    /// Where the entity is changed.
    package var edit: String?
    /// Where the entity is read.
    package var read: String?

    package init(id: String? = nil, edit: String? = nil, read: String? = nil) {
        self.id = id
        self.edit = edit
        self.read = read
    }

    package var isEmpty: Bool { id == nil && edit == nil && read == nil }

    /// Where changes go: an entity without an edit link is changed where its id leads (OData JSON 4.01 § 4.6.9).
    package var target: String? { edit ?? id }
}

/// The addresses that the service has given to entities, kept beside the rows.
///
/// Most services keep to the convention, so the table is made when the first other link comes.
package struct EntityAddresses {
    package static let table = "$address"
    private let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Makes the table under a name, where it is missing.
    package static func create(_ connection: SQLiteConnection, named name: String = table) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name.sqlQuoted) ("row" INTEGER PRIMARY KEY, "table" TEXT NOT NULL,
                "id" TEXT, "edit" TEXT, "read" TEXT)
            """
        )
    }

    /// Whether any entity has such links.
    package func areUsed() throws -> Bool { try connection.tableNames().contains(Self.table) }

    /// Writes down the links of a row.
    package func set(
        _ address: EntityAddress,
        of row: Int64,
        in table: String,
        named name: String = Self.table
    ) throws {
        try connection.run(
            "INSERT OR REPLACE INTO \(name.sqlQuoted) VALUES (?1, ?2, ?3, ?4, ?5)",
            [
                .integer(row), .text(table), Scalar(address.id), Scalar(address.edit),
                Scalar(address.read),
            ]
        )
    }

    /// Forgets the links of a row that is gone.
    package func remove(row: Int64) throws {
        guard try areUsed() else { return }
        try connection.run("DELETE FROM \"$address\" WHERE \"row\" = ?1", [.integer(row)])
    }

    /// Gives the links of a row to another one, which is the same entity and has none of its own.
    package func move(_ row: Int64, to other: Int64) throws {
        guard try areUsed() else { return }
        try connection.run(
            "UPDATE OR IGNORE \"$address\" SET \"row\" = ?2 WHERE \"row\" = ?1",
            [.integer(row), .integer(other)]
        )
    }

    /// Returns the links of a row; nil where they are those of the convention.
    package func address(of row: Int64) throws -> EntityAddress? {
        guard try areUsed() else { return nil }
        return try connection.firstRow(
            "SELECT \"id\", \"edit\", \"read\" FROM \"$address\" WHERE \"row\" = ?1",
            [.integer(row)]
        ) {
            EntityAddress(
                id: $0.optionalString(0),
                edit: $0.optionalString(1),
                read: $0.optionalString(2)
            )
        }
    }

    /// Returns the row that a service means by an id, which came last if there are several.
    package func row(withID id: String) throws -> (row: Int64, table: String)? {
        guard try areUsed() else { return nil }
        return try connection.firstRow(
            """
            SELECT "row", "table" FROM "$address" WHERE "id" = ?1 OR "id" IS NULL AND "edit" = ?1
            ORDER BY "row" DESC LIMIT 1
            """,
            [.text(id)]
        ) { ($0.integer(0), $0.string(1)) }
    }
}
