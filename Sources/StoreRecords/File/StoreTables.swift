import ODataSQL
import ODataSQLite
import ODataAnswers

/// The store's own tables, beside those of the service's entities.
package enum StoreTables {
    /// The statements that make them.
    package static let statements =
        ownTables + StreamTable.createStatements + MemberRows.statements
        + [MemberRows.orderIndex, MemberRows.countColumn]

    /// Contents that the service has of streams that are changed here; null where it has none.
    static let streamBase = """
        CREATE TABLE "$streamBase" (
            "row" INTEGER NOT NULL, "property" TEXT NOT NULL, "content" INTEGER,
            PRIMARY KEY ("row", "property")
        ) WITHOUT ROWID
        """

    /// Rows of which the service has taken a change that no download has brought back (see `UnseenRows`).
    static let unseen =
        "CREATE TABLE \"$unseen\" (\"row\" INTEGER PRIMARY KEY, \"table\" TEXT NOT NULL)"

    /// Streams of which the service has said that they are empty, with the state of the entity then (see `EmptyStreams`).
    static let emptyStream = """
        CREATE TABLE "$emptyStream" (
            "row" INTEGER NOT NULL, "property" TEXT NOT NULL, "stamp" INTEGER NOT NULL,
            "mediaEtag" TEXT, PRIMARY KEY ("row", "property")
        ) WITHOUT ROWID
        """

    /// The metadata document, in its one row.
    ///
    /// Not among the values of `$meta`: SQLite reads a whole key with all its columns to compare it in a table without row ids, so that
    /// each look for another value could read megabytes (https://www.sqlite.org/withoutrowid.html § 3).
    static let metadata =
        "CREATE TABLE \"$metadata\" (\"id\" INTEGER PRIMARY KEY, \"document\" BLOB NOT NULL)"

    /// The model of the metadata document in its compiled form (see `CompiledModel`), in its one row.
    static let model =
        "CREATE TABLE \"$model\" (\"id\" INTEGER PRIMARY KEY, \"bytes\" BLOB NOT NULL)"

    private static let ownTables = [
        metadata, model,
        QueryColumn.statements.creation, QueueColumn.statements.creation,
        statusIndex, movedIndex,
        "CREATE INDEX \"$queue:row\" ON \"$queue\" (\"row\")",
        transactionIndex, tagIndex, categoryIndex,
        // A request waits for another, or refers to an entity created by it.
        """
        CREATE TABLE "$depends" (
            "request" INTEGER NOT NULL, "on" INTEGER NOT NULL, PRIMARY KEY ("request", "on")
        ) WITHOUT ROWID
        """,
        "CREATE INDEX \"$depends:on\" ON \"$depends\" (\"on\")",
        // Which entities a request names by their local id, in its URL or body.
        """
        CREATE TABLE "$refers" (
            "request" INTEGER NOT NULL, "row" INTEGER NOT NULL, PRIMARY KEY ("request", "row")
        ) WITHOUT ROWID
        """,
        "CREATE INDEX \"$refers:row\" ON \"$refers\" (\"row\")",
        EffectColumn.statements.creation,
        "CREATE INDEX \"$effect:request\" ON \"$effect\" (\"request\")",
        "CREATE INDEX \"$effect:row\" ON \"$effect\" (\"row\")",
        "CREATE INDEX \"$effect:target\" ON \"$effect\" (\"target\") WHERE \"target\" IS NOT NULL",
        // Values that may stand for a key that the service has still to give.
        """
        CREATE INDEX "$effect:value" ON "$effect" ("value") WHERE length("value") IN (16, 32)
        """,
        // Whether the service has the links that are changed here.
        """
        CREATE TABLE "$baselink" (
            "table" TEXT NOT NULL, "source" INTEGER NOT NULL, "target" INTEGER NOT NULL,
            "isThere" INTEGER NOT NULL, PRIMARY KEY ("table", "source", "target")
        ) WITHOUT ROWID
        """,
        streamBase, emptyStream,
        // Rows with local changes that the service has no more.
        "CREATE TABLE \"$gone\" (\"row\" INTEGER PRIMARY KEY)",
        unseen,
        // Created entities that are uploaded and go once nothing in the queue refers to them any more.
        "CREATE TABLE \"$remove\" (\"row\" INTEGER PRIMARY KEY, \"source\" TEXT NOT NULL)",
        """
        CREATE TABLE "$event" (
            "id" INTEGER PRIMARY KEY, "type" TEXT NOT NULL, "details" TEXT, "time" TEXT NOT NULL
        )
        """,
        "INSERT OR IGNORE INTO \"$meta\" VALUES ('request', 0), ('event', 0)",
    ]

    // Each index costs every change a page to write and sync; these but the first hold only what is rare.
    /// Requests of one state in the order of their ids.
    static let statusIndex = """
        CREATE INDEX "$queue:status" ON "$queue" ("status")
        """
    /// Requests whose place is another than that of their id.
    static let movedIndex = """
        CREATE INDEX "$queue:moved" ON "$queue" ("position") WHERE "position" <> "id"
        """
    static let tagIndex = """
        CREATE INDEX IF NOT EXISTS "$queue:tag" ON "$queue" ("tag") WHERE "tag" IS NOT NULL
        """
    static let categoryIndex = """
        CREATE INDEX IF NOT EXISTS "$queue:category" ON "$queue" ("category") WHERE "category" IS NOT NULL
        """

    /// The statement that makes base copies be found by their key; nil where there is no key.
    static func baseKeyIndex(of table: TableLayout) -> String? {
        let columns = table.keyColumns.map { table.columns[$0].sql }
        guard !columns.isEmpty else { return nil }
        return """
            CREATE INDEX IF NOT EXISTS \("$basekey:\(table.name)".sqlQuoted) ON \(table.baseName.sqlQuoted) \
            (\(columns.joined(separator: ", ")))
            """
    }

    /// The members of a transaction by their state, so that a new member does not look at all the others.
    static let transactionIndex = """
        CREATE INDEX IF NOT EXISTS "$queue:transaction" ON "$queue" ("transaction", "status")
        WHERE "transaction" IS NOT NULL
        """
}
