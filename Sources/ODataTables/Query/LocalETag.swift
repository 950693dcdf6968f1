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
        tag.add(etag.utf8)
        for place in 2..<row.columnCount { tag.add(row.scalar(place)) }
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
