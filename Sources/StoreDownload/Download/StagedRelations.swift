import ODataSQLite
import ODataValues
import StoreRecords
import ODataSQL
import ODataModel
import ODataPayload

/// Keeps what a payload says of relations and removals beside the staged rows, for the merge.
struct StagedRelations {
    private let connection: SQLiteConnection
    private let tableName: (_ name: String) -> String

    /// A navigation property of a staged row.
    struct Place {
        var row: Int64
        var navigation: NavigationPropertyID?
    }

    /// - Parameter tableName: The name under which a table is filled.
    init(_ connection: SQLiteConnection, tableName: @escaping (_ name: String) -> String) {
        self.connection = connection
        self.tableName = tableName
    }

    /// Keeps the link of two staged rows; without target: that all links of the property have come.
    func link(_ navigation: NavigationPropertyID, from: Int64, to: Int64?) throws {
        try connection.run(
            "INSERT INTO \(tableName("$links").sqlQuoted) VALUES (?1, ?2, ?3, ?4)",
            [
                .integer(Int64(navigation.type.index)), .integer(Int64(navigation.index)),
                .integer(from), Scalar(to),
            ]
        )
    }

    /// Keeps where the rest of a collection is to be had.
    func rest(
        of navigation: NavigationPropertyID,
        row: Int64,
        in table: TableLayout,
        link: String
    ) throws {
        try connection.run(
            """
            INSERT INTO \(tableName("$nested").sqlQuoted)
                ("source", "table", "type", "navigation", "link") VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [
                .integer(row), .text(table.name), .integer(Int64(navigation.type.index)),
                .integer(Int64(navigation.index)), .text(link),
            ]
        )
    }

    /// Keeps a reference to an entity that stands in place of the entity (OData JSON 4.01 § 14).
    func reference(_ id: String, at place: Place, sequence: Int64) throws {
        try connection.run(
            """
            INSERT INTO \(tableName("$linkchange").sqlQuoted)
                ("sequence", "isAdded", "target", "parent", "type", "navigation")
            VALUES (?1, 1, ?2, ?3, ?4, ?5)
            """,
            [.integer(sequence), .text(id)] + values(of: place)
        )
    }

    /// Keeps a link that stands as an entry of its own (OData JSON 4.01 §§ 15.4, 15.5).
    func change(_ change: LinkChange, sequence: Int64) throws {
        try connection.run(
            """
            INSERT INTO \(tableName("$linkchange").sqlQuoted)
                ("sequence", "isAdded", "source", "relationship", "target") VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [
                .integer(sequence), .integer(change.isAdded ? 1 : 0), .text(change.source),
                .text(change.relationship), Scalar(change.target),
            ]
        )
    }

    /// Keeps a tombstone; inside of an entity, with its place.
    func removed(_ id: String, reason: RemovalReason, at place: Place?, sequence: Int64) throws {
        try connection.run(
            """
            INSERT INTO \(tableName("$removed").sqlQuoted)
                ("sequence", "id", "reason", "parent", "type", "navigation")
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [.integer(sequence), .text(id), .text(reason.rawValue)] + values(of: place)
        )
    }

    private func values(of place: Place?) -> [Scalar] {
        [
            Scalar(place?.row), Scalar(place?.navigation.map { Int64($0.type.index) }),
            Scalar(place?.navigation.map { Int64($0.index) }),
        ]
    }
}

extension NavigationPropertyID {
    /// Reads a property from two columns.
    init(_ row: SQLiteStatement, at column: Int) {
        self.init(
            type: StructuredTypeID(Int(row.integer(column))),
            index: Int(row.integer(column + 1))
        )
    }
}
