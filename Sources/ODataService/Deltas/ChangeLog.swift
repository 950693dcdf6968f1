package import ODataSQLite
import ODataValues
import ODataAnswers
import ODataTables

/// What has been changed in which order: the source of delta answers.
///
/// Used inside a transaction.
package struct ChangeLog {
    let connection: SQLiteConnection

    package init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// An entry of the log.
    package struct Entry: Sendable, Equatable {
        package var sequence: Int64
        /// Name of the source that holds the row.
        package var source: String
        package var row: Int64
        /// The row's entity-id, relative to the service root.
        package var url: String
        package var change: Change

        package init(sequence: Int64 = 0, source: String, row: Int64, url: String, change: Change) {
            self.sequence = sequence
            self.source = source
            self.row = row
            self.url = url
            self.change = change
        }
    }

    /// What happened to a row.
    package enum Change: Sendable, Equatable {
        /// Created or changed.
        case upserted
        case deleted
        /// Related by a navigation property to the entity with this entity-id.
        case linked(navigation: String, target: String)
        /// No longer related to it.
        case unlinked(navigation: String, target: String)
    }

    static let createStatements = [
        """
        CREATE TABLE IF NOT EXISTS "$changes" (
            "sequence" INTEGER PRIMARY KEY AUTOINCREMENT,
            "source" TEXT NOT NULL, "row" INTEGER NOT NULL, "url" TEXT NOT NULL,
            "kind" INTEGER NOT NULL, "navigation" TEXT, "target" TEXT
        )
        """,
        "CREATE INDEX IF NOT EXISTS \"$changes:source\" ON \"$changes\" (\"source\", \"sequence\")",
    ]

    /// Whether the file has a log.
    package var exists: Bool {
        get throws {
            try connection.integer("SELECT 1 FROM sqlite_schema WHERE \"name\" = '$changes'") != nil
        }
    }

    /// Adds an entry at the end.
    func append(_ entry: Entry) throws {
        var values: [Scalar] = [.text(entry.source), .integer(entry.row), .text(entry.url)]
        switch entry.change {
        case .upserted: values += [.integer(0), .null, .null]
        case .deleted: values += [.integer(1), .null, .null]
        case .linked(let navigation, let target):
            values += [.integer(2), .text(navigation), .text(target)]
        case .unlinked(let navigation, let target):
            values += [.integer(3), .text(navigation), .text(target)]
        }
        try connection.run(
            """
            INSERT INTO "$changes" ("source", "row", "url", "kind", "navigation", "target")
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            values
        )
    }

    /// The number of the newest entry ever made; 0 before the first.
    package func lastSequence() throws -> Int64 {
        try connection.integer("SELECT \"seq\" FROM sqlite_sequence WHERE \"name\" = '$changes'")
            ?? 0
    }

    /// The number up to which entries have been forgotten.
    package func forgottenSequence() throws -> Int64 {
        guard case .integer(let number)? = try connection.metaValue("changesForgotten") else {
            return 0
        }
        return number
    }

    /// Forgets all but the newest entries.
    package func trim(keeping count: Int) throws {
        let limit = try lastSequence() - Int64(count)
        guard limit > 0, try limit > forgottenSequence() else { return }
        try connection.run("DELETE FROM \"$changes\" WHERE \"sequence\" <= ?1", [.integer(limit)])
        try connection.setMetaValue("changesForgotten", to: .integer(limit))
    }

    /// Returns the entries of a source in order, after a number.
    package func entries(of source: String, after sequence: Int64) throws -> [Entry] {
        var entries: [Entry] = []
        try connection.forEachRow(
            """
            SELECT "sequence", "row", "url", "kind", "navigation", "target" FROM "$changes"
            WHERE "source" = ?1 AND "sequence" > ?2 ORDER BY "sequence"
            """,
            [.text(source), .integer(sequence)]
        ) { row in
            let change: Change =
                switch row.integer(3) {
                case 0: .upserted
                case 1: .deleted
                case 2: .linked(navigation: row.string(4), target: row.string(5))
                default: .unlinked(navigation: row.string(4), target: row.string(5))
                }
            entries.append(
                Entry(
                    sequence: row.integer(0),
                    source: source,
                    row: row.integer(1),
                    url: row.string(2),
                    change: change
                )
            )
        }
        return entries
    }
}
