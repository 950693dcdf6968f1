package import ODataSQLite
package import ODataSQL
package import ODataValues
import StoreRecords
package import ODataTables

/// The values that a created entity was sent with, to recognize it if the service has not returned its key.
package struct SentValues {
    private let connection: SQLiteConnection
    private let schema: TableSchema
    private var rows: RowEditor { RowEditor(connection, layout: schema.layout) }

    package init(_ connection: SQLiteConnection, schema: TableSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Whether an entity that the service has shown has every value that a row was sent with.
    ///
    /// Where the entity shows none of them, nothing but its key may say that it is the same.
    package func isShown(_ row: Int64, in table: TableLayout, by body: EntityBody) throws -> Bool {
        var isCompared = false
        for (slot, value) in try sent(row, in: table) {
            guard let shown = body.value(of: slot) else { continue }
            guard shown == value else { return false }
            isCompared = true
        }
        return try isCompared || isKnownByKey(table)
    }

    /// Whether an entity that was sent without values is the one at the key that was sent: below a parent that was created with it
    /// no other client has made one, unless the service is known to replace keys.
    package func isKnownByKey(_ table: TableLayout) throws -> Bool {
        try table.isContained && !KeptKeys(connection).areReplaced(in: table)
    }

    /// Values that the service keeps as they were sent: neither the key, which it may replace, nor what it computes.
    package func sent(_ row: Int64, in table: TableLayout) throws -> [(slot: Int, value: Scalar)] {
        // The copy has the entity without the changes that wait.
        var values: [Scalar]?
        if try rows.catalog.exists(table.baseName) {
            values = try rows.values(of: row, in: table, named: table.baseName)
        }
        let present = try values ?? rows.values(of: row, in: table) ?? []
        return table.columns.indices.compactMap { slot in
            let column = table.columns[slot]
            guard present.indices.contains(slot), present[slot] != .null, column.form != nil,
                column.keyIndex == nil, !UnknownValue.isUnknown(present[slot], in: column),
                !schema.isComputed(column)
            else { return nil }
            return (slot, present[slot])
        }
    }
}
