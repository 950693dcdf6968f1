extension SQLiteConnection {
    /// Whether this SQLite has FTS5, without which there are no searches and no search indexes.
    package func hasFTS5() throws -> Bool {
        var isThere = false
        try forEachRow("SELECT 1 FROM pragma_module_list WHERE \"name\" = 'fts5'") { _ in
            isThere = true
        }
        return isThere
    }
}
