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
    private let schema: TableSchema

    init(_ schema: TableSchema) {
        self.schema = schema
    }

    /// Completes the rows that an import has written.
    func complete(rowsWith stamp: Int64, in store: LocalStore) async throws {
        let updates = try await store.file.read { [self] connection in
            try TableCatalog(connection, layout: schema.layout).tables()
                .flatMap { statements($0) }
        }
        guard !updates.isEmpty else { return }
        try await store.file.write { connection in
            for update in updates { try connection.run(update, [.integer(stamp)]) }
        }
    }

    private func statements(_ table: TableLayout) -> Set<String> {
        let defaults = table.types.flatMap { table.typeColumns(of: $0, in: schema.model).defaults }
        return Set(
            defaults.compactMap { known in
                let column = table.columns[known.place]
                guard let presence = known.presence, column.kind == .json else { return nil }
                return """
                    UPDATE \(table.sql) SET \(column.sql) = '[]'
                    WHERE \(column.sql) IS NULL AND \(table.columns[presence].sql) = 1 AND "$stamp" = ?1
                    """
            }
        )
    }
}
