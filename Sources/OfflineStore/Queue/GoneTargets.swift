import ODataSQL
import ODataTables
import StoreRecords
import StoreUpload

/// What entities lead to that the service has deleted, and that only waiting changes keep in the store.
///
/// The delta that reported the deletion came while the entity was still there, so what it leads to stayed too.
struct GoneTargets {
    private let editor: QueueEditor

    init(_ editor: QueueEditor) {
        self.editor = editor
    }

    /// Returns the rows that the gone ones among some rows are related to; asked before these are removed.
    func rows(leftBy changed: Set<ChangedRow>) throws -> [Int64] {
        let marks = GoneMarks(editor.connection)
        return try changed.flatMap { item -> [Int64] in
            guard let table = editor.layout.table(named: item.table), try marks.contains(item.row)
            else { return [] }
            let below = try ContainedRows(editor.connection, layout: editor.layout).below(item.row)
            let contained = below.compactMap { row in
                editor.layout[row.source].map { (row.row, $0) }
            }
            return try ([(item.row, table)] + contained).flatMap(related)
        }
    }

    private func related(to row: Int64, in table: TableLayout) throws -> [Int64] {
        let related = RelatedRows(editor.rebuild.rows)
        return try related.others(of: row, table) + related.dependents(of: row, table)
    }
}
