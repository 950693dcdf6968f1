package import ODataSQLite
package import ODataSQL
import StoreRecords

/// Foreign schema objects in the file of a store: triggers, views, indexes and tables that the engine does not make.
///
/// A trigger can empty the queue or change what a download writes, a unique index refuse it: the store cannot vouch for its content.
package enum ForeignObjects {
    /// Returns a line for each, in the order in which they were made.
    package static func find(_ connection: SQLiteConnection, layout: Layout?) throws -> [String] {
        let tables = try tableNames(connection)
        let views = Set(layout.map(BuiltInSets.viewStatements) ?? [])
        let searches = try searchStatements(connection, layout: layout)
        var lines: [String] = []
        try connection.forEachRow(
            "SELECT \"type\", \"name\", \"tbl_name\", \"sql\" FROM sqlite_schema ORDER BY rowid"
        ) { row in
            let (type, name, sql) = (row.string(0), row.string(1), row.optionalString(3))
            let isOwn =
                switch type {
                case "table" where sql?.isVirtual == true: searches.contains(sql)
                case "table": name.isReserved || tables.contains(name)
                case "index": sql == nil || name.isReserved
                case "view": sql.map(views.contains) ?? false
                case "trigger": searches.contains(sql)
                default: false
                }
            guard !isOwn else { return }
            let place = ["index", "trigger"].contains(type) ? " on \(row.string(2))" : ""
            lines.append("the \(type) \(name)\(place) is none of the store's: drop it")
        }
        return lines
    }

    /// The virtual tables and triggers of the search indexes that the file has, as the engine makes them.
    private static func searchStatements(_ connection: SQLiteConnection, layout: Layout?) throws
        -> Set<String?>
    {
        guard let layout else { return [] }
        let names = try connection.tableNames()
        let indexes = layout.sources.compactMap { source -> SearchIndex? in
            guard let name = layout.tableName(of: source),
                names.contains(SearchIndex.name(of: name)), let table = layout[source]
            else { return nil }
            return SearchIndex(table)
        }
        return Set(indexes.flatMap { [$0.createStatement] + $0.triggers })
    }

    /// Tables of entities, as the file has named them.
    private static func tableNames(_ connection: SQLiteConnection) throws -> Set<String> {
        var names: Set<String> = []
        try connection.forEachRow("SELECT \"name\" FROM \"$layout\" WHERE \"table\" = ''") {
            names.insert($0.string(0))
        }
        return names
    }
}

extension String {
    /// Whether the name is one that only the engine and SQLite give.
    fileprivate var isReserved: Bool { hasPrefix("$") || hasPrefix("sqlite_") }

    /// Whether it is the statement of a virtual table, as SQLite writes it down.
    fileprivate var isVirtual: Bool { hasPrefix("CREATE VIRTUAL ") }
}
