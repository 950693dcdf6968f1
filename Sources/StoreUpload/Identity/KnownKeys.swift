import StoreRecords
package import ODataSQLite
package import ODataSQL
import ODataValues
package import ODataTables

/// Whether the store knows entities that the service shows: a creation from here whose answer was lost is none of those.
package struct KnownKeys {
    private let rows: RowEditor
    private let rebuild: RowRebuild

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        rows = RowEditor(connection, layout: schema.layout)
        rebuild = RowRebuild(connection, layout: schema.layout)
    }

    /// Whether every entity has a key, and a row that was not created here or has been uploaded since.
    package func hold(_ entities: [EntityBody], in table: TableLayout) throws -> Bool {
        guard !table.keyColumns.isEmpty else { return false }
        return try entities.allSatisfy { entity in
            let key = table.keyColumns.map { (table.columns[$0], entity.value(of: $0) ?? .null) }
            return try rows.heldRows(in: table, having: key)
                .contains { try !rebuild.state(of: $0, table).contains(.created) }
        }
    }
}
