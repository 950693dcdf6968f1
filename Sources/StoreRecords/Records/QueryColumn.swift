/// The columns of `$query`: defining queries and how far each has been loaded.
enum QueryColumn: Int, RecordColumn {
    case name, url, slot, position, streams
    case deltaLink, nextLink, etag, lastDownload
    case isLoaded, needsFullRead

    static let tableName = "$query"
    static let tableOptions = "WITHOUT ROWID"
    static let statements = RecordStatements<Self>()

    var declaration: RecordDeclaration {
        switch self {
        case .name: .init("name", type: "TEXT PRIMARY KEY")
        case .url: .init("url", type: "TEXT NOT NULL")
        // The query's bit in `$queries` of the rows that it brings (see `MemberRows` beyond 61).
        case .slot: .init("slot", type: "INTEGER NOT NULL UNIQUE")
        case .position: .init("position", type: "INTEGER NOT NULL")
        case .streams: .init("streams", type: "INTEGER NOT NULL DEFAULT 0")
        case .deltaLink: .init("deltaLink", type: "TEXT")
        case .nextLink: .init("nextLink", type: "TEXT")
        case .etag: .init("etag", type: "TEXT")
        case .lastDownload: .init("lastDownload", type: "TEXT")
        case .isLoaded: .init("isLoaded", type: "INTEGER NOT NULL DEFAULT 0")
        case .needsFullRead: .init("needsFullRead", type: "INTEGER NOT NULL DEFAULT 0")
        }
    }
}
