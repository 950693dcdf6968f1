import ODataSQLite
import ODataValues

/// The full-text index of a table: FTS5 with a copy of the table's texts, and a list of the rows that changed since.
///
/// Triggers write the list, whoever changes a row and in whichever way; the engine brings the index up to date later, many rows at
/// a time. A query takes the rows of the list from the table itself, so that its answer is right at any moment. Triggers cannot write the
/// index: with `TRUSTED_SCHEMA` off SQLite refuses them FTS5 as an unsafe virtual table. FTS5 keeps the texts, since it needs those
/// that it has indexed to take them out again.
package struct SearchIndex {
    /// Name of the indexed table.
    package let table: String
    /// The columns with texts; without any there is no index.
    private let columns: [String]

    /// Creates the description of the index of a table; nil where the table has no texts.
    package init?(_ table: TableLayout) {
        self.init(table: table.name, columns: table.searchedPlaces.map { table.columns[$0].name })
    }

    /// Creates the description of an index over columns of a table.
    package init?(table: String, columns: [String]) {
        guard !columns.isEmpty else { return nil }
        (self.table, self.columns) = (table, columns)
    }

    /// Name of the FTS5 table of a table's index; that of no set can be the name of one of its shadow tables.
    package static func name(of table: String) -> String { "$search(\(table))" }

    /// Name of the list of rows that changed since a table was indexed.
    package static func changesName(of table: String) -> String { changesPrefix + table + ")" }

    /// What names of those lists begin with.
    package static let changesPrefix = "$changed("

    /// Name of the FTS5 table.
    package var name: String { Self.name(of: table) }

    /// Name of the list of changed rows.
    package var changesName: String { Self.changesName(of: table) }

    /// Name of the index's column for a column: `rank` and `rowid` are FTS5's own.
    private static func indexedName(_ column: String) -> String { "$" + column }

    /// The column of the table that a column of the index holds.
    package static func column(ofIndexed name: String) -> String { String(name.dropFirst()) }

    // MARK: Statements

    /// The statement that makes the FTS5 table; documents need no sizes, since nothing is ranked.
    package var createStatement: String {
        let names = columns.map { Self.indexedName($0).sqlQuoted }.joined(separator: ", ")
        return "CREATE VIRTUAL TABLE \(name.sqlQuoted) USING fts5(\(names), columnsize=0, "
            + "tokenize='unicode61 remove_diacritics 0')"
    }

    /// The statements that make the list of changed rows and what writes it.
    package var changesStatements: [String] {
        ["CREATE TABLE \(changesName.sqlQuoted) (\"row\" INTEGER PRIMARY KEY)"] + triggers
    }

    /// The statements of the triggers.
    package var triggers: [String] {
        let texts = columns.map(\.sqlQuoted)
        func values(_ row: String) -> String {
            texts.map { "\(row).\($0)" }.joined(separator: ", ")
        }
        return [
            trigger("insert", on: "INSERT", row: "new"),
            trigger(
                "update",
                on: "UPDATE OF \(texts.joined(separator: ", "))",
                row: "old",
                when: " WHEN (\(values("old"))) IS NOT (\(values("new")))"
            ),
            trigger("delete", on: "DELETE", row: "old"),
        ]
    }

    /// Without `OR IGNORE`: the statement that fires a trigger can put its own way with conflicts in place of it.
    private func trigger(
        _ suffix: String,
        on event: String,
        row: String,
        when condition: String = ""
    ) -> String {
        """
        CREATE TRIGGER \((name + ":" + suffix).sqlQuoted) AFTER \(event) ON \(table.sqlQuoted)\(condition) BEGIN \
        INSERT INTO \(changesName.sqlQuoted) SELECT \(row)."$id" \
        WHERE \(row)."$id" NOT IN (SELECT "row" FROM \(changesName.sqlQuoted)); END
        """
    }

    /// The statement that indexes all rows.
    package var fillStatement: String { insert + "\(table.sqlQuoted) AS t" }

    /// The statements that bring the index up to date, and empty the list.
    package var catchUpStatements: [String] {
        let changes = changesName.sqlQuoted
        return [
            "DELETE FROM \(name.sqlQuoted) WHERE rowid IN (SELECT \"row\" FROM \(changes))",
            insert + "\(changes) AS c CROSS JOIN \(table.sqlQuoted) AS t ON t.\"$id\" = c.\"row\"",
            "DELETE FROM \(changes)",
        ]
    }

    /// The statement that writes the words anew: those taken out stay in the index beside a mark until then.
    package var rewriteStatement: String {
        "INSERT INTO \(name.sqlQuoted) (\(name.sqlQuoted)) VALUES ('optimize')"
    }

    /// Values of another class than text are unknown ones, which no search finds.
    private var insert: String {
        let names = columns.map { Self.indexedName($0).sqlQuoted }.joined(separator: ", ")
        return "INSERT INTO \(name.sqlQuoted) (rowid, \(names)) SELECT \(rowValues) FROM "
    }

    private var rowValues: String {
        let texts = columns.map {
            "CASE typeof(t.\($0.sqlQuoted)) WHEN 'text' THEN t.\($0.sqlQuoted) END"
        }
        return (["t.\"$id\""] + texts).joined(separator: ", ")
    }

    /// The statement that counts rows whose texts the index does not have, and texts of rows that are no more.
    package var differencesStatement: String {
        let names = columns.map { Self.indexedName($0).sqlQuoted }.joined(separator: ", ")
        let known = "NOT IN (SELECT \"row\" FROM \(changesName.sqlQuoted))"
        let rows = "SELECT \(rowValues) FROM \(table.sqlQuoted) AS t WHERE t.\"$id\" \(known)"
        let indexed = "SELECT rowid, \(names) FROM \(name.sqlQuoted) WHERE rowid \(known)"
        return "SELECT (SELECT count(*) FROM (\(rows) EXCEPT \(indexed)))"
            + " + (SELECT count(*) FROM (\(indexed) EXCEPT \(rows)))"
    }
}

extension TableLayout {
    /// Places of the columns that `$search` looks into: the texts of all types, those in complex properties too.
    var searchedPlaces: [Int] { columns.indices.filter { columns[$0].form == .string } }
}
