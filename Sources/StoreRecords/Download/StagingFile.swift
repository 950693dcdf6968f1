#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
package import ODataSQLite
import ODataValues

/// The scratch file beside a store where later loads gather before they are merged; it may be deleted at any time.
package final class StagingFile: Sendable {
    package let path: String
    /// The key of the file, which is the store's.
    package let encryption: EncryptionKey?
    /// The file's only connection.
    package let queue: DatabaseQueue

    /// The name of a table in this file that belongs to a query: queries are staged side by side and merged together.
    package static func name(of table: String, query: DefiningQuery) -> String {
        "\(query.slot):\(table)"
    }

    /// Makes what a query needs besides its rows: links, tombstones, and later the map to the store's rows.
    package static func prepare(_ connection: SQLiteConnection, for query: DefiningQuery) throws {
        func quoted(_ table: String) -> String { name(of: table, query: query).sqlQuoted }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(quoted("$links")) (
                "type" INTEGER, "navigation" INTEGER, "source" INTEGER, "target" INTEGER);
            CREATE TABLE IF NOT EXISTS \(quoted("$removed")) (
                "sequence" INTEGER, "id" TEXT, "reason" TEXT, "parent" INTEGER, "type" INTEGER,
                "navigation" INTEGER);
            CREATE TABLE IF NOT EXISTS \(quoted("$linkchange")) (
                "sequence" INTEGER, "isAdded" INTEGER, "source" TEXT, "relationship" TEXT, "target" TEXT,
                "parent" INTEGER, "type" INTEGER, "navigation" INTEGER);
            CREATE TABLE IF NOT EXISTS \(quoted("$map")) (
                "staged" INTEGER PRIMARY KEY, "row" INTEGER NOT NULL, "kind" INTEGER NOT NULL);
            CREATE TABLE IF NOT EXISTS \(quoted("$nested")) (
                "id" INTEGER PRIMARY KEY, "source" INTEGER, "table" TEXT, "type" INTEGER,
                "navigation" INTEGER, "link" TEXT);
            CREATE INDEX IF NOT EXISTS \(quoted("$map:row")) ON \(quoted("$map")) ("row")
            """
        )
    }

    /// Makes the file anew.
    package convenience init(besides store: String, encryption: EncryptionKey?) throws {
        try self.init(besides: store, continuing: nil, encryption: encryption)
    }

    /// Opens what an earlier download has left, or makes the file anew.
    ///
    /// - Parameters:
    ///   - key: Names what the staged rows fit: another model, or an answered change, makes them useless.
    ///   - encryption: The key of the store, where it is encrypted: what an earlier one has encrypted is made anew.
    package init(
        besides store: String,
        continuing key: String?,
        encryption: EncryptionKey?
    ) throws {
        path = store + "-staging"
        self.encryption = encryption
        if let key, let left = Self.left(at: path, key: key, encryption: encryption) {
            queue = left
            return
        }
        Self.delete(besides: store)
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(.cannotOpen, "cannot create \(path)") }
        close(descriptor)
        queue = try Self.opened(path, encryption: encryption)
        try queue.runBlocking { connection in
            try Self.configure(connection)
            try connection.execute(
                """
                CREATE TABLE "$counter" ("next" INTEGER); INSERT INTO "$counter" VALUES (1);
                CREATE TABLE "$key" ("key" TEXT);
                CREATE TABLE "$progress" (
                    "query" TEXT PRIMARY KEY, "start" TEXT NOT NULL, "next" TEXT, "deltaLink" TEXT,
                    "lastID" INTEGER NOT NULL, "isRead" INTEGER NOT NULL, "begun" TEXT NOT NULL)
                """
            )
            try connection.run("INSERT INTO \"$key\" VALUES (?1)", [.init(key.map(Self.marked))])
        }
    }

    private static func opened(_ path: String, encryption: EncryptionKey?) throws -> DatabaseQueue {
        try DatabaseQueue(
            path: path,
            mode: .readWrite,
            label: "OfflineOData staging",
            key: encryption
        )
    }

    /// Nothing in it is worth a sync.
    ///
    /// After a loss of power it is made anew; a killed process leaves it as it was.
    private static func configure(_ connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF")
    }

    /// The file that an earlier download has left; nil where it is of no use.
    private static func left(
        at path: String,
        key: String,
        encryption: EncryptionKey?
    ) -> DatabaseQueue? {
        guard unsafe access(path, R_OK | W_OK) == 0,
            let queue = try? opened(path, encryption: encryption)
        else { return nil }
        let found = try? queue.runBlocking { connection in
            try configure(connection)
            return try connection.firstRow("SELECT \"key\" FROM \"$key\"", []) {
                $0.optionalString(0)
            }
        }
        return found == .some(.some(marked(key))) ? queue : nil
    }

    /// Names the tables of this version.
    private static let form = "3"

    /// The key with the number of this start of the machine: what was not synced may be lost with the next one.
    private static func marked(_ key: String) -> String {
        let key = form + "|" + key
        guard let file = unsafe fopen("/proc/sys/kernel/random/boot_id", "r") else { return key }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return key + "|" + String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Makes what is staged useless for a later download, before it is changed by the merge.
    package func forget() throws {
        try queue.runBlocking { try $0.execute("UPDATE \"$key\" SET \"key\" = NULL") }
    }

    /// Makes what was staged of some queries, and nothing else, good again for a later download.
    package func keep(_ queries: [DefiningQuery], key: String) throws {
        try queue.runBlocking { connection in
            try connection.write {
                for name in try connection.tableNames()
                where !name.hasPrefix("$")
                    && !queries.contains(where: { Self.isTable(name, of: $0) })
                {
                    try connection.execute("DROP TABLE \(name.sqlQuoted)")
                }
                let marks = queries.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
                try connection.run(
                    "DELETE FROM \"$progress\" WHERE \"query\" NOT IN (\(marks))",
                    queries.map { .text($0.name) }
                )
                try connection.run("UPDATE \"$key\" SET \"key\" = ?1", [.text(Self.marked(key))])
            }
        }
    }

    private static func isTable(_ name: String, of query: DefiningQuery) -> Bool {
        name.hasPrefix(Self.name(of: "", query: query))
    }

    /// Deletes the file, if it exists.
    package static func delete(besides store: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            _ = unsafe unlink(store + "-staging" + suffix)
        }
    }
}
