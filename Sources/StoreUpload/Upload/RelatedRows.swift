package import ODataSQL
import ODataSQLite
import ODataValues
package import ODataTables

/// The entities that an entity is related to, as the service has it: without the changes that wait here.
package struct RelatedRows {
    private let rows: RowEditor

    package init(_ rows: RowEditor) {
        self.rows = rows
    }

    /// Returns the rows whose key an entity holds, and those at the other ends of its links; contained ones, which go with it, are
    /// left out.
    package func others(of row: Int64, _ table: TableLayout) throws -> [Int64] {
        try principals(of: row, table) + linked(to: row)
    }

    /// Returns the rows of which an entity holds the key, those among them that are deleted here.
    ///
    /// - Parameter column: Only those whose key this column is part of.
    func principals(of row: Int64, _ table: TableLayout, by column: String? = nil) throws -> [Int64]
    {
        let relations = rows.layout.principals(of: table.source).filter { relation in
            column == nil || relation.pairs.contains { table.columns[$0.here].name == column }
        }
        guard !relations.isEmpty, let values = try values(of: row, table) else { return [] }
        return try relations.flatMap { try rows.heldPrincipals($0, of: values) }
    }

    /// Returns the rows that hold the key of an entity.
    package func dependents(of row: Int64, _ table: TableLayout) throws -> [Int64] {
        guard let values = try values(of: row, table) else { return [] }
        return try rows.catalog.tables().flatMap { other in
            try rows.layout.principals(of: other.source).filter { $0.target == table.source }
                .flatMap {
                    try rows.heldRows(
                        in: other,
                        having: $0.pairs.map { (other.columns[$0.here], values[$0.there]) }
                    )
                }
        }
    }

    /// Returns the other ends of an entity's links.
    private func linked(to row: Int64) throws -> [Int64] {
        try rows.catalog.linkTables().flatMap { name in
            var found: [Int64] = []
            try rows.connection.forEachRow(
                """
                SELECT "target" FROM \(name.sqlQuoted) WHERE "source" = ?1
                UNION SELECT "source" FROM \(name.sqlQuoted) WHERE "target" = ?1
                UNION SELECT "source" + "target" - ?1 FROM "$baselink"
                WHERE "table" = ?2 AND ?1 IN ("source", "target") AND "isThere" <> 0
                """,
                [.integer(row), .text(name)]
            ) { found.append($0.integer(0)) }
            return found
        }
    }

    /// The values that the service has of a row, as far as they are known here.
    private func values(of row: Int64, _ table: TableLayout) throws -> [Scalar]? {
        for name in [table.baseName, table.name] where try rows.catalog.exists(name) {
            if let values = try rows.values(of: row, in: table, named: name) { return values }
        }
        return nil
    }
}
