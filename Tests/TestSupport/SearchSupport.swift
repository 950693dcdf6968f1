import ODataSQLite

/// What tests that search need: a SQLite with FTS5, which the one that can encrypt does not have.
public enum SearchSupport {
    /// Whether the SQLite of this process has FTS5.
    public static let isPresent = (try? hasFTS5()) ?? false
    /// Why tests are left out.
    public static let absence = "this SQLite has no FTS5"

    private static func hasFTS5() throws -> Bool {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        return try connection.integer(
            "SELECT 1 FROM pragma_module_list WHERE \"name\" = 'fts5'"
        ) != nil
    }
}
