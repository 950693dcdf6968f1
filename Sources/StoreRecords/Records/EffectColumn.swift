/// The columns of `$effect`: what each request did to rows and links.
enum EffectColumn: Int, RecordColumn {
    case id, request, kind, table, row, target, column, value

    static let tableName = "$effect"
    static let statements = RecordStatements<Self>()

    var declaration: RecordDeclaration {
        switch self {
        case .id: .init("id", type: "INTEGER PRIMARY KEY")
        case .request: .init("request", type: "INTEGER NOT NULL")
        // One of `EffectJournal.Kind`.
        case .kind: .init("kind", type: "INTEGER NOT NULL")
        case .table: .init("table", type: "TEXT NOT NULL")
        case .row: .init("row", type: "INTEGER NOT NULL")
        case .target: .init("target", type: "INTEGER")
        case .column: .init("column", type: "TEXT")
        case .value: .init("value", type: "")
        }
    }
}
