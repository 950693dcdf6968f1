extension StoreMigration {
    /// Statements that lead from each version to the next.
    ///
    /// They are frozen: each step carries the statements of its time, and none refers to what the tables are made by today. A new step
    /// comes with the statements of the version before in `OldFileTests`.
    static let steps: [Int64: [String]] = [
        // Media streams, and the requests that carry them.
        1: [
            #"ALTER TABLE "$queue" ADD COLUMN "stream" INTEGER"#,
            #"ALTER TABLE "$queue" ADD COLUMN "streamProperty" TEXT"#,
            """
            CREATE TABLE "$streamBase" (
                "row" INTEGER NOT NULL, "property" TEXT NOT NULL, "content" INTEGER,
                PRIMARY KEY ("row", "property")
            ) WITHOUT ROWID
            """,
            """
            CREATE INDEX IF NOT EXISTS "$queue:transaction" ON "$queue" ("transaction")
            WHERE "transaction" IS NOT NULL
            """,
            """
            CREATE TABLE IF NOT EXISTS "$content" (
                "id" INTEGER PRIMARY KEY, "contentType" TEXT NOT NULL, "etag" TEXT,
                "byteCount" INTEGER NOT NULL DEFAULT 0, "started" INTEGER NOT NULL DEFAULT 0
            )
            """,
            """
            CREATE TABLE IF NOT EXISTS "$streamHead" (
                "row" INTEGER NOT NULL, "property" TEXT NOT NULL, "content" INTEGER NOT NULL,
                PRIMARY KEY ("row", "property")
            ) WITHOUT ROWID
            """,
            #"CREATE INDEX IF NOT EXISTS "$streamHead:content" ON "$streamHead" ("content")"#,
            """
            CREATE TABLE IF NOT EXISTS "$stream" (
                "content" INTEGER NOT NULL, "piece" INTEGER NOT NULL, "bytes" BLOB NOT NULL,
                UNIQUE ("content", "piece")
            )
            """,
        ],
        // The link of the entity that a request is about, for the built-in sets.
        2: [#"ALTER TABLE "$queue" ADD COLUMN "affected" TEXT"#],
        // Indexes for lists of requests, and for base copies (see `run`).
        3: [
            #"DROP INDEX IF EXISTS "$queue:status""#,
            #"CREATE INDEX "$queue:status" ON "$queue" ("status")"#,
            #"CREATE INDEX "$queue:moved" ON "$queue" ("position") WHERE "position" <> "id""#,
            #"CREATE INDEX IF NOT EXISTS "$queue:tag" ON "$queue" ("tag") WHERE "tag" IS NOT NULL"#,
            """
            CREATE INDEX IF NOT EXISTS "$queue:category" ON "$queue" ("category")
            WHERE "category" IS NOT NULL
            """,
        ],
        // Indexes of copies over awaited keys (see `run`).
        4: [],
        // Rows of which the service has taken a change that no download has brought back.
        5: [#"CREATE TABLE "$unseen" ("row" INTEGER PRIMARY KEY, "table" TEXT NOT NULL)"#],
        // Stored collections, and defining queries beyond the 62nd.
        6: [
            """
            CREATE TABLE "$member" (
                "query" INTEGER NOT NULL, "row" INTEGER NOT NULL, "position" INTEGER,
                PRIMARY KEY ("query", "row")
            ) WITHOUT ROWID
            """,
            #"CREATE INDEX "$member:row" ON "$member" ("row")"#,
            """
            CREATE TABLE "$collection" (
                "slot" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE, "url" TEXT NOT NULL,
                "isFetched" INTEGER NOT NULL DEFAULT 0, "fetched" INTEGER, "expires" INTEGER,
                "validator" TEXT, "deltaLink" TEXT, "attributes" TEXT
            )
            """,
            """
            CREATE INDEX "$collection:expires" ON "$collection" ("expires")
            WHERE "expires" IS NOT NULL
            """,
        ],
        // The order of members.
        7: [
            """
            CREATE INDEX "$member:order" ON "$member" ("query", "position")
            WHERE "position" IS NOT NULL
            """
        ],
        // The states of a transaction's members.
        8: [
            #"DROP INDEX IF EXISTS "$queue:transaction""#,
            """
            CREATE INDEX IF NOT EXISTS "$queue:transaction" ON "$queue" ("transaction", "status")
            WHERE "transaction" IS NOT NULL
            """,
        ],
        // Streams of which the service has said that they are empty, and what it counts.
        9: [
            """
            CREATE TABLE "$emptyStream" (
                "row" INTEGER NOT NULL, "property" TEXT NOT NULL, "stamp" INTEGER NOT NULL,
                "etag" TEXT, "mediaEtag" TEXT, PRIMARY KEY ("row", "property")
            ) WITHOUT ROWID
            """,
            #"ALTER TABLE "$collection" ADD COLUMN "count" INTEGER"#,
        ],
        // Search indexes, made when they are asked for: an engine that does not know them must not drop a table with their triggers.
        // The metadata document moves to a table of its own.
        10: [
            #"CREATE TABLE "$metadata" ("id" INTEGER PRIMARY KEY, "document" BLOB NOT NULL)"#,
            #"INSERT INTO "$metadata" SELECT 1, "value" FROM "$meta" WHERE "key" = 'metadata'"#,
            #"DELETE FROM "$meta" WHERE "key" = 'metadata'"#,
        ],
        // The model in its compiled form, which `run` fills.
        11: [#"CREATE TABLE "$model" ("id" INTEGER PRIMARY KEY, "bytes" BLOB NOT NULL)"#],
        // Another compiled form, in which the members of a type can be passed over; `run` writes it.
        12: [],
    ]
}
