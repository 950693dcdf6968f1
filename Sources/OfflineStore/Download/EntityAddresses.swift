import ODataPayload
import ODataTables

/// The links of an entity that are not those of the convention.
struct EntityAddress: Sendable, Equatable {
    /// The entity-id: what the service names the entity by, and nothing more.
    var id: String?
    /// Where the entity is changed.
    var edit: String?
    /// Where the entity is read.
    var read: String?

    var isEmpty: Bool { id == nil && edit == nil && read == nil }

    /// Where changes go: an entity without an edit link is changed where its id leads (OData JSON 4.01 § 4.6.9).
    var target: String? { edit ?? id }
}

/// The addresses that the service has given to entities, kept beside the rows.
///
/// Most services keep to the convention, so the table is made when the first other link comes.
struct EntityAddresses {
    static let table = "$address"
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Makes the table under a name, where it is missing.
    static func create(_ connection: SQLiteConnection, named name: String = table) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name.sqlQuoted) ("row" INTEGER PRIMARY KEY, "table" TEXT NOT NULL,
                "id" TEXT, "edit" TEXT, "read" TEXT)
            """
        )
    }

    /// Whether any entity has such links.
    func areUsed() throws -> Bool { try connection.tableNames().contains(Self.table) }

    /// Writes down the links of a row.
    func set(
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
    func remove(row: Int64) throws {
        guard try areUsed() else { return }
        try connection.run("DELETE FROM \"$address\" WHERE \"row\" = ?1", [.integer(row)])
    }

    /// Gives the links of a row to another one, which is the same entity and has none of its own.
    func move(_ row: Int64, to other: Int64) throws {
        guard try areUsed() else { return }
        try connection.run(
            "UPDATE OR IGNORE \"$address\" SET \"row\" = ?2 WHERE \"row\" = ?1",
            [.integer(row), .integer(other)]
        )
    }

    /// Returns the links of a row; nil where they are those of the convention.
    func address(of row: Int64) throws -> EntityAddress? {
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
    func row(withID id: String) throws -> (row: Int64, table: String)? {
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
