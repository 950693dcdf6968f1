import ODataTables

/// The columns of `$effect`: what each request did to rows and links.
enum EffectColumn: Int, RecordColumn {
    case id, request, kind, table, row, target, column, value

    static let tableName = "$effect"
    static let statements = RecordStatements<Self>()

    var declaration: RecordDeclaration {
        switch self {
        case .id: .init("id", "INTEGER PRIMARY KEY")
        case .request: .init("request", "INTEGER NOT NULL")
        // One of `EffectJournal.Kind`.
        case .kind: .init("kind", "INTEGER NOT NULL")
        case .table: .init("table", "TEXT NOT NULL")
        case .row: .init("row", "INTEGER NOT NULL")
        case .target: .init("target", "INTEGER")
        case .column: .init("column", "TEXT")
        case .value: .init("value", "")
        }
    }
}
