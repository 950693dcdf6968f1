import ODataSQLite
import ODataSQL
import ODataValues
import StoreRecords
import ODataModel
import ODataURL
import ODataTables

/// An entity that a download has updated or removed.
package struct RowChange: Sendable, Hashable {
    /// URL relative to the service root.
    package var url: String
    package var isRemoved: Bool
}

/// Notes which entities a download updates and removes, whichever way it does: by temporary triggers of the writing connection.
///
/// New entities are not noted, nor those whose ETag or state alone changes.
struct RowWatch {
    let connection: SQLiteConnection

    /// Parts of a key that are noted; entities with more are not noted when they go.
    private static let keyPartCount = 8
    /// Wider tables count every written row as updated: the comparison would be too long.
    private static let maximumComparedColumns = 400

    private static func trigger(_ kind: String, on table: TableLayout) -> String {
        "$watch:\(kind):\(table.name)".sqlQuoted
    }

    /// Begins to note changes; those of a watch before are forgotten.
    func begin(_ layout: Layout) throws {
        try end(layout)
        let keys = (0..<Self.keyPartCount).map { ", \"key\($0)\"" }.joined()
        try connection.execute(
            "CREATE TEMP TABLE \"$watched\" (\"table\" TEXT, \"row\" INTEGER, \"isRemoved\" INTEGER\(keys))"
        )
        for table in try TableCatalog(connection, layout: layout).tables() {
            try connection.execute(updates(of: table))
            try connection.execute(removals(from: table))
        }
    }

    private func updates(of table: TableLayout) -> String {
        let columns = table.columns.map(\.sql)
        guard !columns.isEmpty else { return "" }
        let isCompared = columns.count <= Self.maximumComparedColumns
        let (old, new) = (
            columns.map { "old." + $0 }.joined(separator: ", "),
            columns.map { "new." + $0 }.joined(separator: ", ")
        )
        return """
            CREATE TEMP TRIGGER \(Self.trigger("updated", on: table)) AFTER UPDATE ON main.\(table.sql)
            \(isCompared ? "WHEN (\(old)) IS NOT (\(new))" : "") BEGIN
                INSERT INTO "$watched" ("table", "row", "isRemoved")
                VALUES (\(table.name.sqlText), new."$id", 0);
            END
            """
    }

    private func removals(from table: TableLayout) -> String {
        let keys = table.keyColumns.prefix(Self.keyPartCount).map { "old." + table.columns[$0].sql }
        let names = keys.indices.map { ", \"key\($0)\"" }.joined()
        return """
            CREATE TEMP TRIGGER \(Self.trigger("removed", on: table)) AFTER DELETE ON main.\(table.sql) BEGIN
                INSERT INTO "$watched" ("table", "row", "isRemoved"\(names))
                VALUES (\(table.name.sqlText), old."$id", 1\(keys.map { ", " + $0 }.joined()));
            END
            """
    }

    /// Stops noting changes.
    func end(_ layout: Layout) throws {
        for table in try TableCatalog(connection, layout: layout).tables() {
            for kind in ["updated", "removed"] {
                try connection.execute(
                    "DROP TRIGGER IF EXISTS temp.\(Self.trigger(kind, on: table))"
                )
            }
        }
        try connection.execute("DROP TABLE IF EXISTS temp.\"$watched\"")
    }

    /// Returns what was noted, each entity once, in the order of the changes.
    func changes(_ schema: TableSchema) throws -> [RowChange] {
        guard
            try connection.integer(
                "SELECT 1 FROM sqlite_temp_schema WHERE \"name\" = '$watched'"
            ) != nil
        else { return [] }
        var noted: [(table: String, row: Int64, isRemoved: Bool, key: [Scalar])] = []
        try connection.forEachRow(
            "SELECT * FROM temp.\"$watched\" GROUP BY \"table\", \"row\", \"isRemoved\" ORDER BY min(rowid)"
        ) { row in
            let key = (0..<Self.keyPartCount).map { row.scalar(3 + $0) }
            noted.append((row.string(0), row.integer(1), row.integer(2) != 0, key))
        }
        return try noted.compactMap { change in
            guard let table = schema.layout.table(named: change.table) else { return nil }
            let url =
                change.isRemoved
                ? removedURL(change.key, in: table, model: schema.layout.model)
                : try presentURL(change.row, in: table, schema: schema)
            return url.map { RowChange(url: $0, isRemoved: change.isRemoved) }
        }
    }

    private func presentURL(
        _ row: Int64,
        in table: TableLayout,
        schema: TableSchema
    ) throws -> String? {
        let editor = RowEditor(connection, layout: schema.layout)
        guard try editor.value("\"$id\"", of: row, in: table) != nil else { return nil }
        return try EntityLink(editor).link(RowReference(source: table.source, row: row))
    }

    private func removedURL(
        _ key: [Scalar],
        in table: TableLayout,
        model: EdmModel
    ) -> String? {
        guard table.keyColumns.count <= Self.keyPartCount else { return nil }
        return EntityURL(model: model, version: model.version)
            .canonical(table.source, key: Array(key.prefix(table.keyColumns.count)))
    }
}

extension LocalStore {
    /// Begins to note which entities are updated and removed; nothing where the store has no metadata yet.
    package func beginWatch() async throws {
        try await file.write { connection in
            guard try StoreSchema.version(connection) > 0 else { return }
            try RowWatch(connection: connection).begin(self.schema(connection).layout)
        }
    }

    /// Stops noting, and returns what was noted.
    package func endWatch() async throws -> [RowChange] {
        try await file.write { connection in
            guard try StoreSchema.version(connection) > 0 else { return [] }
            let (watch, schema) = (RowWatch(connection: connection), try self.schema(connection))
            let changes = try watch.changes(schema)
            try watch.end(schema.layout)
            return changes
        }
    }
}
