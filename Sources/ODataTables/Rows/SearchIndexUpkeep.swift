package import ODataSQLite
import ODataSQL
import ODataValues

/// Brings the search indexes of a file up to date, at the end of transactions that have changed enough indexed rows.
///
/// Until then queries take the changed rows from their table: a few of them cost them less than each transaction would pay.
package final class SearchIndexUpkeep {
    /// The number of changed rows from which an index is brought up to date.
    package static let threshold = 64

    private var indexes: [SearchIndex] = []
    /// The schema that `indexes` were found in.
    private var schemaVersion: Int64?

    package init() {}

    /// Brings the indexes up to date that need it; called in a write transaction, before its end.
    package func run(_ connection: SQLiteConnection) throws {
        let names = try connection.tableNames()
        if connection.tableNamesVersion != schemaVersion {
            indexes = try Self.indexes(names, connection)
            schemaVersion = connection.tableNamesVersion
        }
        for index in indexes where try isDue(index, connection) {
            for sql in index.catchUpStatements { try connection.run(sql) }
        }
    }

    private func isDue(_ index: SearchIndex, _ connection: SQLiteConnection) throws -> Bool {
        let count = try connection.integer(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM \(index.changesName.sqlQuoted) LIMIT \(Self.threshold))
            """
        )
        return count == Int64(Self.threshold)
    }

    /// The indexes of a file, with the columns that they have there.
    private static func indexes(
        _ names: Set<String>,
        _ connection: SQLiteConnection
    ) throws -> [SearchIndex] {
        try names.sorted().compactMap { name in
            guard name.hasPrefix(SearchIndex.changesPrefix), name.hasSuffix(")") else { return nil }
            let table = String(name.dropFirst(SearchIndex.changesPrefix.count).dropLast())
            var columns: [String] = []
            try connection.forEachRow(
                "SELECT \"name\" FROM pragma_table_info(?1)",
                [.text(SearchIndex.name(of: table))]
            ) { columns.append(SearchIndex.column(ofIndexed: $0.string(0))) }
            return SearchIndex(table: table, columns: columns)
        }
    }

    /// Brings all indexes of a file up to date and writes them anew, so that no word of a row that is gone is left in them.
    package static func purge(_ connection: SQLiteConnection) throws {
        for index in try indexes(connection.tableNames(), connection) {
            for sql in index.catchUpStatements + [index.rewriteStatement] {
                try connection.run(sql)
            }
        }
    }

    /// Compares the search indexes of a file with the tables that they are of; returns a line for each that differs.
    package static func faults(_ connection: SQLiteConnection) throws -> [String] {
        try indexes(connection.tableNames(), connection).compactMap { index in
            guard let count = try connection.integer(index.differencesStatement), count > 0 else {
                return nil
            }
            return
                "the search index of \(index.table) differs from it in \(count) texts: remove it and make it again"
        }
    }
}
