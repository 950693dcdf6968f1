import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues
import OfflineStore
import StoreRecords

/// Makes collections in complex values empty where a file does not mention them.
///
/// A collection is never null (OData CSDL XML 4.01 § 7.2.1). Whether there is a complex value around it is known once the row is
/// written.
struct NestedCollections {
    private let connection: SQLiteConnection
    private let schema: TableSchema

    init(_ connection: SQLiteConnection, schema: TableSchema) {
        (self.connection, self.schema) = (connection, schema)
    }

    /// Completes the rows that an import has written.
    func complete(rowsWith stamp: Int64) throws {
        for table in try TableCatalog(connection, layout: schema.layout).tables() {
            for (place, column) in table.columns.enumerated() {
                guard isNestedCollection(place, in: table), let around = around(column, in: table)
                else { continue }
                try connection.run(
                    """
                    UPDATE \(table.sql) SET \(column.name.sqlQuoted) = '[]'
                    WHERE \(column.name.sqlQuoted) IS NULL AND \(around.name.sqlQuoted) = 1 AND "$stamp" = ?1
                    """,
                    [.integer(stamp)]
                )
            }
        }
    }

    private func isNestedCollection(_ place: Int, in table: TableLayout) -> Bool {
        let column = table.columns[place]
        guard column.path.count > 1, column.kind == .json else { return false }
        let known = table.typeColumns(of: column.declaringType, in: schema.model)
        return known[place]?.leaf?.type.isCollection ?? false
    }

    /// The column that says whether there is a complex value around another one.
    private func around(_ column: Column, in table: TableLayout) -> Column? {
        table.columns.first {
            $0.kind == .presence && $0.path == Array(column.path.dropLast())
                && $0.declaringType == column.declaringType
        }
    }
}
