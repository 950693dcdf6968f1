package import ODataSQL
import ODataSQLite
import ODataValues

/// The ETag of an entity with local changes: the service's names what the service has, not what the store shows.
///
/// It follows from the ETag of the service and from all values of the row, so an undone change brings back the former one.
/// Requests to the service carry the service's own ETag, which stays in the row.
package struct LocalETag {
    private let rows: RowEditor
    /// FNV-1a, 64 bits.
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    /// States in which the values may differ from those that the service's ETag names.
    private static var changed: RowState {
        RowState(
            rawValue: RowState.local.rawValue | RowState.pending.rawValue
                | RowState.inError.rawValue
        )
    }

    private init(_ rows: RowEditor) {
        self.rows = rows
    }

    /// Returns the ETag by which clients of the store know a row; nil for one without local changes where the service has given none,
    /// or the one in the row is known to be out of date.
    package static func text(of row: Int64, in table: TableLayout, _ rows: RowEditor) throws
        -> String?
    {
        let columns = "\(SystemColumn.etag.sql), \(SystemColumn.state.sql)"
        let found = try rows.connection.firstRow(
            "SELECT \(columns) FROM \(table.sql) WHERE \"$id\" = ?1",
            [.integer(row)]
        ) { (etag: $0.optionalString(0), state: RowState(rawValue: $0.integer(1))) }
        guard let found else { return nil }
        let etag = found.etag ?? ""
        guard !etag.isEmpty || found.state.hasAny(of: changed) else { return nil }
        return try text(for: etag, state: found.state, of: row, in: table, rows: rows)
    }

    /// Returns the ETag of the row that a statement stands on; nil where there is no local change.
    static func text(
        ofChanged row: SQLiteStatement,
        in table: TableLayout,
        _ query: TableQuery
    ) throws -> String? {
        let state = RowState(rawValue: row.integer(SelectStatement.place(of: .state)))
        guard state.hasAny(of: changed) else { return nil }
        let etag = row.optionalString(SelectStatement.place(of: .etag)) ?? ""
        let id = row.integer(SelectStatement.place(of: .id))
        return try text(
            for: etag,
            state: state,
            of: id,
            in: table,
            rows: RowEditor(query.connection, layout: query.layout)
        )
    }

    /// Returns the ETag of a row whose service ETag and state are known.
    static func text(
        for etag: String,
        state: RowState,
        of row: Int64,
        in table: TableLayout,
        rows: RowEditor
    ) throws -> String {
        guard state.hasAny(of: changed) else { return etag }
        var tag = LocalETag(rows)
        tag.add(etag.utf8)
        for value in try rows.values(of: row, in: table) ?? [] { tag.add(value) }
        for column in [SystemColumn.exact, .dynamic] {
            if let value = try rows.value(column.sql, of: row, in: table) { tag.add(value) }
        }
        return "W/\"local-" + String(tag.hash, radix: 16) + "\""
    }

    private mutating func add(_ value: Scalar) {
        switch value {
        case .null: add([0])
        case .integer(let number): add("i\(number)".utf8)
        case .real(let number): add("r\(number.bitPattern)".utf8)
        case .text(let text): add("t\(text)".utf8)
        case .blob(let bytes): add([UInt8(ascii: "b")] + bytes)
        }
    }

    /// Adds a value, ended by a byte that UTF-8 does not have.
    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
