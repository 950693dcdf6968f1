package import ODataSQL
package import ODataSQLite
import ODataValues

/// The ETag of an entity with local changes: the service's names what the service has, not what the store shows.
///
/// It follows from the ETag of the service and from all values of the row, so an undone change brings back the former one.
/// Requests to the service carry the service's own ETag, which stays in the row.
package struct LocalETag {
    /// FNV-1a, 64 bits.
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    /// States in which the values may differ from those that the service's ETag names.
    private static var changed: RowState {
        RowState(
            rawValue: RowState.local.rawValue | RowState.pending.rawValue
                | RowState.inError.rawValue
        )
    }

    /// Returns the ETag by which clients of the store know a row; nil for one without local changes where the service has given none,
    /// or the one in the row is known to be out of date.
    package static func text(
        of row: Int64,
        in table: TableLayout,
        _ connection: SQLiteConnection
    ) throws -> String? {
        try connection.firstRow(table.stateStatement, bindings: [.integer(row)], text) ?? nil
    }

    /// Returns the ETag of the row that a statement stands on; nil where there is no local change.
    static func text(
        ofChanged row: SQLiteStatement,
        in table: TableLayout,
        _ connection: SQLiteConnection
    ) throws -> String? {
        let state = RowState(rawValue: row.integer(SelectStatement.place(of: .state)))
        guard state.hasAny(of: changed) else { return nil }
        return try text(of: row.integer(SelectStatement.place(of: .id)), in: table, connection)
    }

    /// Returns the ETag of the row that `TableLayout.stateStatement` stands on.
    private static func text(_ row: SQLiteStatement) -> String? {
        let etag = row.optionalString(0) ?? ""
        guard RowState(rawValue: row.integer(1)).hasAny(of: changed) else {
            return etag.isEmpty ? nil : etag
        }
        var tag = LocalETag()
        for byte in etag.utf8 { tag.add(byte) }
        tag.add(0xFF)
        for place in 2..<row.columnCount { tag.add(place, of: row) }
        return "W/\"local-" + String(tag.hash, radix: 16) + "\""
    }

    /// Adds the value of a column as its storage class and its text, ended by a byte that UTF-8 does not have.
    private mutating func add(_ column: Int, of row: SQLiteStatement) {
        switch row.storageClass(column) {
        case .null: add(0)
        case .integer: add("i", String(row.integer(column)).utf8)
        case .real: add("r", String(row.real(column).bitPattern).utf8)
        case .text:
            add(UInt8(ascii: "t"))
            row.withText(column) { add($0) }
        case .blob:
            add(UInt8(ascii: "b"))
            row.withBlob(column) { add($0) }
        }
        add(0xFF)
    }

    private mutating func add(_ kind: Unicode.Scalar, _ text: some Sequence<UInt8>) {
        add(UInt8(ascii: kind))
        for byte in text { add(byte) }
    }

    private mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
