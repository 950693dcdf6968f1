package import ODataProtocol

/// What the store holds of a row: of one that is deleted here, its copy.
extension RowEditor {
    /// The table that has the row; nil where it is gone altogether.
    package func holder(of row: Int64, in table: TableLayout) throws -> String? {
        for name in [table.name, table.baseName] where try catalog.exists(name) {
            let isThere = try connection.integer(
                "SELECT 1 FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
            if isThere != nil { return name }
        }
        return nil
    }

    package func heldValues(of row: Int64, in table: TableLayout) throws -> [Scalar]? {
        try holder(of: row, in: table).flatMap { try values(of: row, in: table, named: $0) }
    }

    package func heldKey(of row: Int64, in table: TableLayout) throws -> [Scalar]? {
        try holder(of: row, in: table).flatMap { try key(of: row, in: table, named: $0) }
    }

    /// The row that contains a row; nil where the table's entities are not contained.
    package func heldParent(of row: Int64, in table: TableLayout) throws -> Int64? {
        guard table.isContained, let name = try holder(of: row, in: table) else { return nil }
        return try connection.integer(
            "SELECT \(SystemColumn.parent.sql) FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
            [.integer(row)]
        )
    }
}
