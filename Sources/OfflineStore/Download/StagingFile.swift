#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import ODataTables

/// The scratch file beside a store where later loads gather before they are merged; it may be deleted at any time.
package final class StagingFile: Sendable {
    package let path: String
    /// The file's only connection.
    let queue: DatabaseQueue

    /// The name of a table in this file that belongs to a query: queries are staged side by side and merged together.
    static func name(_ table: String, _ query: DefiningQuery) -> String {
        "\(query.slot):\(table)"
    }

    /// Makes what a query needs besides its rows: links, tombstones, and later the map to the store's rows.
    static func prepare(_ connection: SQLiteConnection, for query: DefiningQuery) throws {
        func quoted(_ table: String) -> String { name(table, query).sqlQuoted }
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(quoted("$links")) (
                "type" INTEGER, "navigation" INTEGER, "source" INTEGER, "target" INTEGER);
            CREATE TABLE IF NOT EXISTS \(quoted("$removed")) (
                "sequence" INTEGER, "id" TEXT, "reason" TEXT);
            CREATE TABLE IF NOT EXISTS \(quoted("$linkchange")) (
                "sequence" INTEGER, "isAdded" INTEGER, "source" TEXT, "relationship" TEXT, "target" TEXT);
            CREATE TABLE IF NOT EXISTS \(quoted("$map")) (
                "staged" INTEGER PRIMARY KEY, "row" INTEGER NOT NULL, "kind" INTEGER NOT NULL);
            CREATE INDEX IF NOT EXISTS \(quoted("$map:row")) ON \(quoted("$map")) ("row")
            """
        )
    }

    /// Makes the file anew.
    package init(besides store: String) throws {
        path = store + "-staging"
        Self.delete(besides: store)
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw StoreError(.cannotOpen, "cannot create \(path)") }
        close(descriptor)
        queue = try DatabaseQueue(path: path, mode: .readWrite, label: "OfflineOData staging")
        try queue.runBlocking { connection in
            // Nothing in it is worth a sync: after a loss of power it is made anew.
            try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try connection.execute(
                "CREATE TABLE \"$counter\" (\"next\" INTEGER); INSERT INTO \"$counter\" VALUES (1)"
            )
        }
    }

    /// Deletes the file, if it is there.
    package static func delete(besides store: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            _ = unsafe unlink(store + "-staging" + suffix)
        }
    }
}
