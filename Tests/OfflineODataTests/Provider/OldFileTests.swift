import ODataSQLite
import OfflineOData
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Files of older versions, written by the statements of their time: what waits in them is still there, and can be taken back.
@Suite struct OldFileTests {
    private static let metadata = """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="L" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Book"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Books" EntityType="L.Book"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Books 1 and 3 came from the service, 2 was created here; the change of 1 waits, that of 3 was refused.
    private static let version1 = [
        #"CREATE TABLE "$meta" ("key" TEXT PRIMARY KEY, "value" ANY) WITHOUT ROWID"#,
        """
        INSERT INTO "$meta" VALUES ('row', 3), ('download', 1), ('request', 3), ('event', 0), ('opened', 1),
            ('modelVersion', 1), ('serviceRoot', 'http://service.test/')
        """,
        """
        CREATE TABLE "$layout" ("table" TEXT NOT NULL, "element" TEXT NOT NULL, "name" TEXT NOT NULL,
            PRIMARY KEY ("table", "element")) WITHOUT ROWID
        """,
        """
        CREATE TABLE "$local" ("id" BLOB PRIMARY KEY, "row" INTEGER NOT NULL UNIQUE, "table" TEXT NOT NULL) WITHOUT ROWID
        """,
        """
        CREATE TABLE "$query" (
            "name" TEXT PRIMARY KEY, "url" TEXT NOT NULL, "slot" INTEGER NOT NULL UNIQUE,
            "position" INTEGER NOT NULL, "streams" INTEGER NOT NULL DEFAULT 0,
            "deltaLink" TEXT, "nextLink" TEXT, "etag" TEXT, "lastDownload" TEXT,
            "isLoaded" INTEGER NOT NULL DEFAULT 0, "needsFullRead" INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE "$queue" (
            "id" INTEGER PRIMARY KEY, "position" INTEGER NOT NULL, "status" TEXT NOT NULL,
            "method" TEXT NOT NULL, "url" TEXT NOT NULL, "body" TEXT, "source" TEXT, "row" INTEGER,
            "etag" TEXT, "tag" TEXT, "category" TEXT, "transaction" TEXT, "headers" TEXT,
            "flags" INTEGER NOT NULL DEFAULT 0, "created" TEXT NOT NULL, "unit" TEXT, "firstSent" TEXT,
            "httpStatus" INTEGER, "code" TEXT, "message" TEXT, "innerError" TEXT, "answer" TEXT
        )
        """,
        #"CREATE INDEX "$queue:status" ON "$queue" ("status", "position")"#,
        #"CREATE INDEX "$queue:row" ON "$queue" ("row")"#,
        """
        CREATE TABLE "$depends" ("request" INTEGER NOT NULL, "on" INTEGER NOT NULL, PRIMARY KEY ("request", "on")) WITHOUT ROWID
        """,
        #"CREATE INDEX "$depends:on" ON "$depends" ("on")"#,
        """
        CREATE TABLE "$refers" ("request" INTEGER NOT NULL, "row" INTEGER NOT NULL, PRIMARY KEY ("request", "row")) WITHOUT ROWID
        """,
        #"CREATE INDEX "$refers:row" ON "$refers" ("row")"#,
        """
        CREATE TABLE "$effect" (
            "id" INTEGER PRIMARY KEY, "request" INTEGER NOT NULL, "kind" INTEGER NOT NULL,
            "table" TEXT NOT NULL, "row" INTEGER NOT NULL, "target" INTEGER, "column" TEXT, "value"
        )
        """,
        #"CREATE INDEX "$effect:request" ON "$effect" ("request")"#,
        #"CREATE INDEX "$effect:row" ON "$effect" ("row")"#,
        #"CREATE INDEX "$effect:target" ON "$effect" ("target") WHERE "target" IS NOT NULL"#,
        #"CREATE INDEX "$effect:value" ON "$effect" ("value") WHERE length("value") IN (16, 32)"#,
        """
        CREATE TABLE "$baselink" (
            "table" TEXT NOT NULL, "source" INTEGER NOT NULL, "target" INTEGER NOT NULL,
            "isThere" INTEGER NOT NULL, PRIMARY KEY ("table", "source", "target")
        ) WITHOUT ROWID
        """,
        #"CREATE TABLE "$gone" ("row" INTEGER PRIMARY KEY)"#,
        #"CREATE TABLE "$remove" ("row" INTEGER PRIMARY KEY, "source" TEXT NOT NULL)"#,
        """
        CREATE TABLE "$event" ("id" INTEGER PRIMARY KEY, "type" TEXT NOT NULL, "details" TEXT, "time" TEXT NOT NULL)
        """,
        // The views knew fewer columns.
        #"CREATE VIEW "RequestQueue" AS SELECT "id" AS "$id", "id" AS "RequestID" FROM "$queue""#,
        #"CREATE TABLE "Books" (\#(columns))"#, #"CREATE TABLE "$base:Books" (\#(columns))"#,
        #"CREATE UNIQUE INDEX "$key:Books" ON "Books" ("ID")"#,
        """
        INSERT INTO "Books" ("$id", "$type", "$queries", "$state", "$stamp", "ID", "Title") VALUES
            (1, 0, 1, 3, 1, 1, 'changed'), (2, 0, 0, 19, 0, 2, 'new'), (3, 0, 1, 7, 1, 3, 'refused')
        """,
        """
        INSERT INTO "$base:Books" ("$id", "$type", "$queries", "$state", "$stamp", "ID", "Title") VALUES
            (1, 0, 1, 0, 1, 1, 'first'), (3, 0, 1, 0, 1, 3, 'third')
        """,
        #"INSERT INTO "$local" VALUES (X'000102030405060708090A0B0C0D0E0F', 2, 'Books')"#,
        #"INSERT INTO "$query" ("name", "url", "slot", "position", "isLoaded") VALUES ('Books', 'Books', 0, 0, 1)"#,
        """
        INSERT INTO "$queue" ("id", "position", "status", "method", "url", "body", "source", "row", "tag", "flags",
            "created", "httpStatus", "code", "message") VALUES
            (1, 1, 'pending', 'PATCH', 'Books(1)', '{"Title":"changed"}', 'Books', 1, 'mine', 0, '2024-01-01T00:00:00Z', NULL, NULL, NULL),
            (2, 2, 'pending', 'POST', 'Books', '{"ID":2,"Title":"new"}', 'Books', 2, NULL, 0, '2024-01-01T00:00:00Z', NULL, NULL, NULL),
            (3, 3, 'failed', 'PATCH', 'Books(3)', '{"Title":"refused"}', 'Books', 3, NULL, 0, '2024-01-01T00:00:00Z', 400, 'no', 'refused')
        """,
        """
        INSERT INTO "$effect" ("request", "kind", "table", "row", "target", "column", "value") VALUES
            (1, 1, 'Books', 1, NULL, 'Title', 'changed'), (2, 0, 'Books', 2, NULL, NULL, NULL),
            (3, 1, 'Books', 3, NULL, 'Title', 'refused')
        """,
        #"INSERT INTO "$refers" VALUES (1, 1), (2, 2), (3, 3)"#,
    ]

    private static let columns = """
        "$id" INTEGER PRIMARY KEY, "$type" INTEGER NOT NULL DEFAULT 0, "$etag" TEXT,
        "$queries" INTEGER NOT NULL DEFAULT 0, "$parent" INTEGER, "$exact" TEXT, "$dynamic" TEXT, "$control" TEXT,
        "$state" INTEGER NOT NULL DEFAULT 0, "$stamp" INTEGER NOT NULL DEFAULT 0, "ID" INTEGER, "Title" TEXT
        """

    /// What came with version 2: streams.
    private static let version2 = [
        #"ALTER TABLE "$queue" ADD COLUMN "stream" INTEGER"#,
        #"ALTER TABLE "$queue" ADD COLUMN "streamProperty" TEXT"#,
        """
        CREATE TABLE "$streamBase" ("row" INTEGER NOT NULL, "property" TEXT NOT NULL, "content" INTEGER,
            PRIMARY KEY ("row", "property")) WITHOUT ROWID
        """,
        #"CREATE INDEX "$queue:transaction" ON "$queue" ("transaction") WHERE "transaction" IS NOT NULL"#,
        """
        CREATE TABLE "$content" ("id" INTEGER PRIMARY KEY, "contentType" TEXT NOT NULL, "etag" TEXT,
            "byteCount" INTEGER NOT NULL DEFAULT 0, "started" INTEGER NOT NULL DEFAULT 0)
        """,
        """
        CREATE TABLE "$streamHead" ("row" INTEGER NOT NULL, "property" TEXT NOT NULL, "content" INTEGER NOT NULL,
            PRIMARY KEY ("row", "property")) WITHOUT ROWID
        """,
        #"CREATE INDEX "$streamHead:content" ON "$streamHead" ("content")"#,
        """
        CREATE TABLE "$stream" ("content" INTEGER NOT NULL, "piece" INTEGER NOT NULL, "bytes" BLOB NOT NULL,
            UNIQUE ("content", "piece"))
        """,
    ]

    /// What came with version 3: the link of the entity that a request is about.
    private static let version3 = [#"ALTER TABLE "$queue" ADD COLUMN "affected" TEXT"#]

    /// What came with version 4: indexes for lists of requests, and for base copies.
    private static let version4 = [
        #"DROP INDEX IF EXISTS "$queue:status""#,
        #"CREATE INDEX "$queue:status" ON "$queue" ("status")"#,
        #"CREATE INDEX "$queue:moved" ON "$queue" ("position") WHERE "position" <> "id""#,
        #"CREATE INDEX "$queue:tag" ON "$queue" ("tag") WHERE "tag" IS NOT NULL"#,
        #"CREATE INDEX "$queue:category" ON "$queue" ("category") WHERE "category" IS NOT NULL"#,
        #"CREATE INDEX "$basekey:Books" ON "$base:Books" ("ID")"#,
    ]

    /// What came with versions 5 to 12: rows that nobody has seen, stored collections and their order, states of transactions, empty
    /// streams, tables for the document and for its compiled form.
    private static let later = [
        [], [#"CREATE TABLE "$unseen" ("row" INTEGER PRIMARY KEY, "table" TEXT NOT NULL)"#],
        [
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
            #"CREATE INDEX "$collection:expires" ON "$collection" ("expires") WHERE "expires" IS NOT NULL"#,
        ],
        [
            #"CREATE INDEX "$member:order" ON "$member" ("query", "position") WHERE "position" IS NOT NULL"#
        ],
        [
            #"DROP INDEX "$queue:transaction""#,
            #"CREATE INDEX "$queue:transaction" ON "$queue" ("transaction", "status") WHERE "transaction" IS NOT NULL"#,
        ],
        [
            """
            CREATE TABLE "$emptyStream" (
                "row" INTEGER NOT NULL, "property" TEXT NOT NULL, "stamp" INTEGER NOT NULL,
                "etag" TEXT, "mediaEtag" TEXT, PRIMARY KEY ("row", "property")
            ) WITHOUT ROWID
            """,
            #"ALTER TABLE "$collection" ADD COLUMN "count" INTEGER"#,
        ],
        [#"CREATE TABLE "$metadata" ("id" INTEGER PRIMARY KEY, "document" BLOB NOT NULL)"#],
        [#"CREATE TABLE "$model" ("id" INTEGER PRIMARY KEY, "bytes" BLOB NOT NULL)"#],
    ]

    private static func file(_ version: Int, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path + "/old.sqlite"
        let connection = try SQLiteConnection(path: path, mode: .create)
        let steps = ([version1, version2, version3, version4] + later).prefix(version)
        for sql in steps.joined() { try connection.execute(sql) }
        try connection.run(
            version < 11
                ? "INSERT INTO \"$meta\" VALUES ('metadata', ?1)"
                : "INSERT INTO \"$metadata\" VALUES (1, ?1)",
            [.blob(Array(metadata.utf8))]
        )
        try connection.execute(
            "PRAGMA application_id = 1329876819; PRAGMA user_version = \(version); PRAGMA journal_mode = WAL"
        )
        return path
    }

    private func provider(_ path: String) throws -> OfflineODataProvider {
        try OfflineODataProvider(
            storeFile: path,
            serviceRoot: nil,
            isCreating: false,
            parameters: OfflineODataParameters(),
            delegate: nil
        )
    }

    private func title(_ url: String, _ provider: OfflineODataProvider) async throws -> String? {
        try await provider.executeQuery(url).first?["Title"]?.stringValue
    }

    @Test(arguments: 1...12)
    func keepsWhatWaits(_ version: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(version, in: directory)
        let provider = try provider(path)
        let waiting = try await provider.requestQueue().map { "\($0.id) \($0.method) \($0.url)" }
        #expect(waiting == ["1 PATCH Books(1)", "2 POST Books"])
        #expect(try await provider.errorArchive().map(\.id) == [3])
        let tagged = try await provider.executeQuery("RequestQueue?$filter=CustomTag eq 'mine'")
        #expect(tagged.map { $0["RequestURL"]?.stringValue } == ["Books(1)"])
        let refused = try await provider.executeQuery("Books?$filter=sap.inerrorstate()")
        #expect(refused.map { $0["ID"]?.integerValue } == [3])
        let file = try SQLiteConnection(path: path, mode: .readOnly)
        #expect(try file.integer("PRAGMA user_version") == 13)
        #expect(try file.text("PRAGMA integrity_check") == "ok")
    }

    /// Beside the values of `$meta` a large document would be read with nearly every one of them.
    @Test(arguments: 1...12)
    func keepsTheDocumentApart(_ version: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(version, in: directory)
        _ = try await provider(path).requestQueue()
        let file = try SQLiteConnection(path: path, mode: .readOnly)
        #expect(try file.text("SELECT \"document\" FROM \"$metadata\"") == Self.metadata)
        #expect(try file.integer("SELECT max(length(\"value\")) < 1000 FROM \"$meta\"") == 1)
    }

    /// The store's own columns and indexes, by the names of their tables.
    private func ownSchema(_ path: String) throws -> [String] {
        var found: [String] = []
        let file = try SQLiteConnection(path: path, mode: .readOnly)
        try file.forEachRow(
            """
            SELECT t."name" || ' ' || c."name" FROM sqlite_schema t, pragma_table_xinfo(t."name") c
            WHERE t."type" = 'table' AND t."name" GLOB '$*' AND t."name" NOT GLOB '*:*'
            UNION ALL SELECT t."name" || ': ' || group_concat(coalesce(c."name", '?'))
            FROM sqlite_schema t, pragma_index_info(t."name") c
            WHERE t."type" = 'index' AND t."name" GLOB '$*' GROUP BY t."name" ORDER BY 1
            """,
            []
        ) { found.append($0.string(0)) }
        return found
    }

    @Test(arguments: 1...12)
    func hasWhatANewFileHas(_ version: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(version, in: directory)
        _ = try await provider(path).requestQueue()
        let new = directory.path + "/new.sqlite"
        let made = try OfflineODataProvider(
            storeFile: new,
            serviceRoot: "http://service.test/",
            isCreating: true,
            parameters: OfflineODataParameters(),
            delegate: nil
        )
        try await made.importData([], metadata: Array(Self.metadata.utf8))
        let (old, wanted) = try (ownSchema(path), ownSchema(new))
        let both = Set(old).intersection(wanted)
        #expect(wanted.filter { !both.contains($0) } == [])
    }

    @Test(arguments: 1...12)
    func takesOldChangesBack(_ version: Int) async throws {
        let directory = try TemporaryDirectory()
        let provider = try provider(Self.file(version, in: directory))
        try await provider.undoPendingChanges("Books(2)")
        try await provider.undoPendingChanges("Books(1)")
        try await provider.discardError(3)
        let books = try await provider.executeQuery("Books").map { $0["Title"]?.stringValue }
        #expect(books == ["first", "third"])
        #expect(try await provider.executeQuery("Books?$filter=sap.islocal()").isEmpty)
        // Numbers of requests that are gone are not given again.
        try await provider.createEntity(EntityValue(entitySet: "Books", ["ID": 4]))
        #expect(try await provider.requestQueue().map(\.id) == [4])
    }

    /// Base copies of old files are found by their keys like those of new ones.
    @Test(arguments: 1...12)
    func ordersACreationBehindTheDeletionOfItsKey(_ version: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(version, in: directory)
        let provider = try provider(path)
        let book = try #require(try await provider.executeQuery("Books(1)").first)
        try await provider.deleteEntity(book)
        try await provider.createEntity(EntityValue(entitySet: "Books", ["ID": 1]))
        let queue = try await provider.requestQueue()
        #expect(queue.map(\.method) == ["PATCH", "POST", "DELETE", "POST"])
        #expect(queue.last?.dependsOn == [4])
        let file = try SQLiteConnection(path: path, mode: .readOnly)
        let index = "SELECT count(*) FROM sqlite_schema WHERE \"name\" = '$basekey:Books'"
        #expect(try file.integer(index) == 1)
    }
}
