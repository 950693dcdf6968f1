import ODataProtocol
import ODataTables

/// Keeps what a local change destroys: the base copy of each row, as it was when it was first changed.
final class ChangeRecorder: RowJournal {
    private let rows: RowEditor
    private let flags: QueueEntry.Flags
    /// Rows that were inserted, in order; the first is the entity that the request creates.
    private(set) var insertedRows: [Int64] = []

    init(_ rows: RowEditor, flags: QueueEntry.Flags) {
        self.rows = rows
        self.flags = flags
    }

    /// Gives the entity a local id, which stands for the parts of its key that are not known yet.
    func prepare(
        _ body: inout EntityBody,
        as row: Int64,
        in table: TableLayout
    ) throws -> [SystemColumn: Scalar] {
        let local = LocalID()
        try rows.connection.run(
            "INSERT INTO \"$local\" VALUES (?1, ?2, ?3)",
            [.blob(local.bytes), .integer(row), .text(table.name)]
        )
        for slot in table.keyColumns where (body.value(of: slot) ?? .null) == .null {
            body.set(UnknownValue.provisional(local, in: table.columns[slot]), slot: slot)
        }
        var state: RowState = [.local, .pending, .created]
        if flags.contains(.removeAfterUpload), insertedRows.isEmpty {
            state.insert(.removeAfterUpload)
        }
        return [.state: .integer(state.rawValue)]
    }

    /// Writes the local link with the row: until the key is known it is the only address of the entity.
    func inserted(_ row: Int64, in table: TableLayout) throws {
        insertedRows.append(row)
        let link = try EntityLink(rows).link(RowReference(source: table.source, row: row))
        guard let link else { return }
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        for name in ["@odata.id", "@odata.readLink", "@odata.editLink"] {
            writer.name(name)
            writer.string(link)
        }
        writer.endObject()
        let json = String(decoding: writer.bytes, as: UTF8.self)
        try rows.set([.control: .text(json)], of: row, in: table)
    }

    func willChange(_ row: Int64, in table: TableLayout) throws {
        try keepBase(of: row, in: table)
        try rows.changeState(of: row, in: table, adding: [.local, .pending])
    }

    func willDelete(_ row: Int64, in table: TableLayout) throws {
        try keepBase(of: row, in: table)
    }

    func linked(_ source: Int64, _ target: Int64?, table: String, isAdded: Bool) throws {
        guard let target else { return }
        try rows.connection.run(
            "UPDATE \(table.sqlQuoted) SET \"state\" = 1 WHERE \"source\" = ?1 AND \"target\" = ?2",
            [.integer(source), .integer(target)]
        )
    }

    /// Copies the row unless it is there already, or the service has never seen the entity.
    private func keepBase(of row: Int64, in table: TableLayout) throws {
        try rows.catalog.ensureCopies(table.baseName, of: table)
        let columns = table.allColumnNames.joined(separator: ", ")
        try rows.connection.run(
            """
            INSERT OR IGNORE INTO \(table.baseName.sqlQuoted) (\(columns)) SELECT \(columns) FROM \(table.sql)
            WHERE "$id" = ?1 AND "$state" & \(RowState.created.rawValue) = 0
            """,
            [.integer(row)]
        )
    }
}
