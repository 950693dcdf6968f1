package import ODataSQL
import ODataValues
import ODataSQLite
package import ODataTables

/// The link of an entity created here, as control information of its row: the only address of the entity until its key is known.
package struct CreatedControl {
    private let rows: RowEditor
    private static let names = ["@odata.id", "@odata.readLink", "@odata.editLink"]

    package init(_ rows: RowEditor) {
        self.rows = rows
    }

    /// The link as control information.
    static func json(_ link: String) -> String {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        for name in names {
            writer.name(name)
            writer.string(link)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Puts the link in the place of the one that a row has had, where it has one.
    package func rename(_ row: Int64, in table: TableLayout, to link: String?) throws {
        try set(link.map { .text(Self.json($0)) } ?? .null, of: row, in: table)
    }

    /// Removes the link: the service has returned the key.
    package func remove(_ row: Int64, in table: TableLayout) throws {
        try set(.null, of: row, in: table)
    }

    private func set(_ control: Scalar, of row: Int64, in table: TableLayout) throws {
        for name in [table.name, table.baseName, table.serverName]
        where try rows.catalog.exists(name) {
            try rows.connection.run(
                """
                UPDATE \(name.sqlQuoted) SET "$control" = ?2
                WHERE "$id" = ?1 AND instr("$control", '"@odata.readLink"') > 0
                """,
                [.integer(row), control]
            )
        }
    }
}
