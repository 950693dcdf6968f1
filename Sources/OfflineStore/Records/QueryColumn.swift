import ODataTables

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
        case .name: .init("name", "TEXT PRIMARY KEY")
        case .url: .init("url", "TEXT NOT NULL")
        // The query's bit in `$queries` of the rows that it brings (see `MemberRows` beyond 61).
        case .slot: .init("slot", "INTEGER NOT NULL UNIQUE")
        case .position: .init("position", "INTEGER NOT NULL")
        case .streams: .init("streams", "INTEGER NOT NULL DEFAULT 0")
        case .deltaLink: .init("deltaLink", "TEXT")
        case .nextLink: .init("nextLink", "TEXT")
        case .etag: .init("etag", "TEXT")
        case .lastDownload: .init("lastDownload", "TEXT")
        case .isLoaded: .init("isLoaded", "INTEGER NOT NULL DEFAULT 0")
        case .needsFullRead: .init("needsFullRead", "INTEGER NOT NULL DEFAULT 0")
        }
    }
}
