package import ODataModel
package import ODataSQL
import ODataSQLite
package import ODataValues

/// What the store holds of a row: of one that is deleted here, its copy.
extension RowEditor {
    /// The type of a row, also of one that is deleted here.
    package func heldType(_ row: Int64, in table: TableLayout) throws -> StructuredTypeID {
        let code = try holder(of: row, in: table).flatMap { name in
            try connection.integer(
                "SELECT \"$type\" FROM \(name.sqlQuoted) WHERE \"$id\" = ?1",
                [.integer(row)]
            )
        }
        guard let code, table.types.indices.contains(Int(code)) else { return table.entityType }
        return table.types[Int(code)]
    }

    /// The table that has the row; nil where it is gone altogether.
    package func holder(of row: Int64, in table: TableLayout) throws -> String? {
        for name in try catalog.versions(of: table) {
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

    /// Returns the rows that have values, in the store or in the copies of rows that are changed or deleted here; a null identifies no row.
    package func heldRows(
        in table: TableLayout,
        having values: [(column: Column, value: Scalar)]
    ) throws -> [Int64] {
        let names = try [table.name, table.baseName].filter(catalog.exists)
        guard !names.isEmpty, !values.contains(where: { $0.value == .null }) else { return [] }
        let conditions = values.enumerated().map { "\($1.column.sql) = ?\($0 + 1)" }
            .joined(separator: " AND ")
        var found: [Int64] = []
        try connection.forEachRow(
            names.map { "SELECT \"$id\" FROM \($0.sqlQuoted) WHERE \(conditions)" }
                .joined(separator: " UNION "),
            values.map(\.value)
        ) { found.append($0.integer(0)) }
        return found
    }

    /// Returns the rows whose key the values of a dependent row hold.
    package func heldPrincipals(
        _ relation: PrincipalRelation,
        of values: [Scalar]
    ) throws -> [Int64] {
        guard let target = layout[relation.target] else { return [] }
        return try heldRows(
            in: target,
            having: relation.pairs.map { (target.columns[$0.there], values[$0.here]) }
        )
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
