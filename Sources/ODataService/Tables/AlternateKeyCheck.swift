import ODataAnswers
import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables
import ODataValues

/// Refuses entities that have the alternate key of another one (`Core.AlternateKeys`).
struct AlternateKeyCheck {
    let rows: RowEditor
    private var model: EdmModel { rows.layout.model }

    /// Whether entities of a table have alternate keys.
    func isNeeded(for table: TableLayout) -> Bool {
        table.types.contains { !model.alternateKeys(of: $0, in: table.source).isEmpty }
    }

    /// - Throws: `ServiceError` 409 where another entity of the set has the same key.
    func check(_ entity: RowReference) throws {
        guard let table = rows.layout[entity.source],
            let type = try rows.type(of: entity.row, in: table)
        else { return }
        for key in model.alternateKeys(of: type, in: entity.source) {
            let paths = key.map(\.path)
            let columns = paths.compactMap {
                table.column(at: $0.split(separator: "/").map(String.init), of: type, in: model)
            }
            guard !columns.isEmpty, columns.count == paths.count,
                try isTaken(columns.map { table.columns[$0].sql }, by: entity, in: table)
            else { continue }
            throw ServiceError(
                409,
                "another entity of \(model.name(of: entity.source)) has the same \(paths.joined(separator: ", "))"
            )
        }
    }

    private func isTaken(_ columns: [String], by entity: RowReference, in table: TableLayout)
        throws -> Bool
    {
        let same = columns.map { "b.\($0) = a.\($0)" }.joined(separator: " AND ")
        let id = SystemColumn.id.sql
        let sql =
            "SELECT 1 FROM \(table.sql) AS a JOIN \(table.sql) AS b ON \(same)"
            + " WHERE a.\(id) = ?1 AND b.\(id) <> a.\(id) LIMIT 1"
        return try rows.connection.integer(sql, [.integer(entity.row)]) != nil
    }
}
