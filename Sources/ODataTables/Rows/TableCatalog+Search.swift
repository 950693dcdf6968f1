package import ODataModel
package import ODataSQL
import ODataSQLite
import ODataValues

/// Search indexes of tables.
extension TableCatalog {
    /// Makes the search index of a source's table, and the table where it is missing; does nothing where the index exists.
    ///
    /// - Throws: ``QueryError`` where the table has no texts.
    package func createSearchIndex(on source: NavigationSource) throws {
        let table = try ensureTable(source)
        guard let index = SearchIndex(table) else {
            throw QueryError(.notSupported, "\(table.name) has no string properties to search in")
        }
        guard try !exists(index.name) else { return }
        try create(index)
    }

    /// Drops the search index of a source's table; returns whether there was one.
    @discardableResult
    package func dropSearchIndex(on source: NavigationSource) throws -> Bool {
        guard let name = layout.tableName(of: source), try exists(SearchIndex.name(of: name)) else {
            return false
        }
        try dropSearchIndex(ofTable: name)
        return true
    }

    /// Makes the search index of a table anew where it has one.
    package func renewSearchIndex(of table: TableLayout) throws {
        guard try exists(SearchIndex.name(of: table.name)) else { return }
        try dropSearchIndex(ofTable: table.name)
        if let index = SearchIndex(table) { try create(index) }
    }

    /// Makes search indexes anew where the columns with texts are others than those indexed.
    package func renewOutdatedSearchIndexes(of tables: [TableLayout]) throws {
        for table in tables where try exists(SearchIndex.name(of: table.name)) {
            let name = SearchIndex.name(of: table.name)
            let present = try connection.text(
                "SELECT \"sql\" FROM sqlite_schema WHERE \"name\" = ?1",
                [.text(name)]
            )
            if present != SearchIndex(table)?.createStatement {
                try renewSearchIndex(of: table)
            }
        }
    }

    private func create(_ index: SearchIndex) throws {
        for sql in [index.createStatement] + index.changesStatements + [index.fillStatement] {
            try connection.execute(sql)
        }
    }

    private func dropSearchIndex(ofTable table: String) throws {
        for suffix in ["insert", "update", "delete"] {
            let name = SearchIndex.name(of: table) + ":" + suffix
            try connection.execute("DROP TRIGGER IF EXISTS main.\(name.sqlQuoted)")
        }
        for name in [SearchIndex.changesName(of: table), SearchIndex.name(of: table)] {
            try connection.execute("DROP TABLE IF EXISTS main.\(name.sqlQuoted)")
        }
    }
}
