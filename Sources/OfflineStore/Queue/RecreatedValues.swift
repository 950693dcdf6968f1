import ODataSQLite
import ODataSQL
import StoreRecords
import ODataValues
import ODataModel
import ODataTables

/// The values with which an entity is created anew, and the state of its row then.
struct RecreatedValues {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    init(_ connection: SQLiteConnection, schema: TableSchema) {
        (self.connection, self.schema) = (connection, schema)
    }

    /// Returns all values of a version that are known and that a client can set; nil where there is no such version.
    func body(
        of entity: RowReference,
        _ type: StructuredTypeID,
        named name: String
    ) throws -> EntityBody? {
        guard let table = schema.layout[entity.source],
            let plan = schema.plans.plan(for: entity.source, type: type),
            let values = try rows.values(of: entity.row, in: table, named: name)
        else { return nil }
        var body = EntityBody(plan: plan)
        let exact = try rows.members(.exact, of: entity.row, named: name)
        for slot in table.columns(of: type, in: schema.model) {
            let column = table.columns[slot]
            guard !UnknownValue.isUnknown(values[slot], in: column),
                column.keyIndex != nil || !schema.isComputed(column)
            else { continue }
            body.set(values[slot], exact: exact[column.name], slot: slot)
        }
        body.undeclared = try rows.undeclared(of: entity.row, named: name)
        return body
    }

    /// Makes a row, or copies of it, one that was created here: it has a local id, and neither ETag nor address of the service.
    func markNew(_ row: Int64, in table: TableLayout, named names: [String]) throws {
        try GoneMarks(connection).remove(row)
        try connection.run(
            "INSERT INTO \"$local\" SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM \"$local\" WHERE \"row\" = ?2)",
            [.blob(LocalID().bytes), .integer(row), .text(table.name)]
        )
        for name in names {
            try connection.run(
                """
                UPDATE \(name.sqlQuoted) SET "$etag" = NULL, "$control" = NULL, "$queries" = 0,
                    "$state" = \(RowState([.local, .pending, .created]).rawValue) WHERE "$id" = ?1
                """,
                [.integer(row)]
            )
        }
    }
}
