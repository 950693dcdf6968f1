#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
package import ODataSQLite
import ODataValues
import ODataTables

/// The file of a store and its connections: one that writes, several that read.
package final class StoreFile: Sendable {
    /// Path of the SQLite file.
    package let path: String
    /// Everything that changes the file goes through this queue.
    package let writer: DatabaseQueue
    /// The key of the file, and of all that is made beside it; nil where they are not encrypted.
    package let key: EncryptionKey?
    /// The changes of this process that are being made.
    package let waitingChanges = WaitingChanges()
    /// Whether this process may write the file.
    package let isWritable: Bool
    private let changes: Broadcast<Void>
    private let foreign: ForeignCommits
    private let readers: ReaderPool
    private let group: WriteGroup
    private let identity: FileIdentity?

    /// Marks a SQLite file as a store of this engine.
    static let applicationID = DatabaseMark.store
    /// More readers than cores bring nothing.
    package static let readerCount = 3

    /// Opens a store's file; creates it where it is missing and `isCreating` says so.
    ///
    /// - Parameters:
    ///   - awaitsFirstLoad: Whether the store is to be filled from a service, and not read before that.
    ///   - key: The key of an encrypted store; a new one is encrypted with it.
    /// - Throws: ``StoreError`` where it is missing, no store or cannot be opened; `SQLiteError` for anything else.
    package init(
        path: String,
        isCreating: Bool,
        awaitsFirstLoad: Bool = false,
        key: EncryptionKey? = nil
    ) throws {
        let path = Self.named(path)
        (self.path, self.key) = (path, key)
        guard key == nil || SQLiteCipher.present != nil else {
            throw StoreError(EncryptionMismatch.noCipher, of: path)
        }
        try Self.prepare(path, isCreating: isCreating)
        let access = StoreAccess(path, key: key)
        isWritable = access == .full
        do {
            writer = try DatabaseQueue(
                path: path,
                mode: access.mode,
                label: "OfflineOData writer",
                key: key
            )
            try writer.runBlocking { connection in
                guard access == .full else { return try Self.checkReadable(connection, at: path) }
                StoreRekeying.removeLeftovers(besides: path)
                try Self.configure(
                    connection,
                    at: path,
                    isCreating: isCreating,
                    awaitsFirstLoad: awaitsFirstLoad
                )
            }
            group = WriteGroup(writer)
            readers = try ReaderPool(
                path: path,
                mode: access.readingMode,
                count: Self.readerCount,
                key: key
            )
            let identity = FileIdentity(path)
            self.identity = identity
            let changes = CommitBroadcasts.broadcast(of: identity)
            self.changes = changes
            foreign = ForeignCommits(writer, changes: changes)
            try writer.runBlocking { connection in
                let upkeep = SearchIndexUpkeep()
                connection.beforeCommit = {
                    // Who removes the store holds this lock meanwhile, so that it is gone before the transaction or not at all.
                    try Self.checkIsThere(path, as: identity)
                    try upkeep.run($0)
                }
                connection.afterCommit = { changes.send(()) }
            }
        } catch let error as EncryptionMismatch {
            throw StoreError(error, of: path)
        } catch let error as SQLiteError where error.isNotADatabase && !Self.hasMark(path) {
            throw StoreError(.notAStore, "\(path) is no SQLite database, or a damaged one")
        } catch let error as SQLiteError where error.cannotOpen {
            let reason =
                FileFault.reading(path) ?? access.fault(of: path) ?? FileFault.writing(path)
                ?? error.message
            throw StoreError(.cannotOpen, "cannot open \(path): \(reason)")
        }
    }

    /// The path as SQLite takes it: `:memory:` is a name like any other, not that of a database without a file.
    static func named(_ path: String) -> String { path.hasPrefix(":") ? "./" + path : path }

    /// Whether a file is a store, damaged or not, or empty beside the files of one whose making was cut.
    ///
    /// SQLite opens the file: closing it by another way would drop the locks that this process may have on it. Only where SQLite finds
    /// no database, as where the end of the file is cut off, the mark is looked for in its bytes.
    package static func isStore(_ path: String, key: EncryptionKey? = nil) throws -> Bool {
        let path = named(path)
        if let fault = FileFault.reading(path) {
            throw StoreError(.cannotOpen, "cannot open \(path): \(fault)")
        }
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_size == 0 {
            return ["-sync", "-journal"].contains { unsafe access(path + $0, F_OK) == 0 }
        }
        func isMarked(_ mode: SQLiteConnection.Mode) throws -> Bool {
            let connection = try SQLiteConnection(path: path, mode: mode, key: key)
            return try connection.integer("PRAGMA application_id") == applicationID
        }
        do {
            return try isMarked(.readOnly)
        } catch let error as EncryptionMismatch {
            throw StoreError(error, of: path)
        } catch let error as SQLiteError where error.isFull {
            // There is no room for what SQLite makes beside the file.
            return try isMarked(.frozen)
        } catch let error as SQLiteError where error.isNotADatabase {
            return hasMark(path)
        }
    }

    /// Whether the first bytes of a file say that it is a store (https://www.sqlite.org/fileformat.html § 1.3).
    private static func hasMark(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        guard unsafe pread(descriptor, &header, header.count, 0) == header.count else {
            return false
        }
        let id = header[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return header.starts(with: Array("SQLite format 3\u{0}".utf8)) && id == applicationID
    }

    /// Makes the file before SQLite does, so that no other user can ever read it.
    private static func prepare(_ path: String, isCreating: Bool) throws {
        guard unsafe access(path, F_OK) != 0 else {
            if let fault = FileFault.kind(path) {
                throw StoreError(.cannotOpen, "cannot open \(path): \(fault)")
            }
            return try protect(path, isCreating: isCreating)
        }
        guard isCreating else {
            throw StoreError(.noStore, "there is no store at \(path)")
        }
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason =
                errno == ENOENT
                ? "its directory does not exist; make it first"
                : unsafe String(cString: strerror(errno))
            throw StoreError(.cannotOpen, "cannot create \(path): \(reason)")
        }
        close(descriptor)
    }

    /// A file without a byte becomes a store only where one is to be made, and then as private as any.
    private static func protect(_ path: String, isCreating: Bool) throws {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_size == 0, isCreating else { return }
        guard unsafe chmod(path, 0o600) == 0 else {
            throw StoreError(
                .cannotOpen,
                "cannot make a store of \(path): \(unsafe String(cString: strerror(errno)))"
            )
        }
    }

    private static func configure(
        _ connection: SQLiteConnection,
        at path: String,
        isCreating: Bool,
        awaitsFirstLoad: Bool
    ) throws {
        let isNew = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
        guard isCreating || !isNew else {
            throw StoreError(
                .notAStore,
                "\(path) is empty, no offline store: opened with a service, it becomes one"
            )
        }
        let id = try connection.integer("PRAGMA application_id")
        guard isNew || id == applicationID else {
            throw StoreError(.notAStore, "\(path) is a SQLite database, but no offline store")
        }
        if isNew {
            try connection.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
        }
        try connection.execute(
            """
            PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST; PRAGMA fullfsync = ON;
            PRAGMA journal_size_limit = 4194304
            """
        )
        if isNew {
            try connection.write {
                try TableCatalog.createSystemTables(connection)
                for sql in StoreTables.statements { try connection.execute(sql) }
                try connection.execute(
                    """
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(StoreMigration.version)
                    """
                )
            }
        } else {
            try StoreMigration.run(connection, path: path)
        }
        try setJournal(connection, awaitsFirstLoad: awaitsFirstLoad)
    }

    /// Checks a file that can only be read: it is as it is.
    private static func checkReadable(_ connection: SQLiteConnection, at path: String) throws {
        guard try connection.integer("PRAGMA application_id") == applicationID else {
            throw StoreError(.notAStore, "\(path) is no offline store, and cannot be written")
        }
        guard try connection.integer("PRAGMA user_version") == StoreMigration.version else {
            throw StoreError(
                .cannotOpen,
                "\(path) was made by another version of this engine and cannot be written: copy it to where it can be"
            )
        }
    }

    /// Chooses the journal: before the first load is done a rollback journal, from then on a write-ahead log.
    ///
    /// Appended pages are written once with the former, and there are no readers yet that it would hold up; its file is written over
    /// and over, since a file that grows and shrinks takes longer to sync. With the latter readers and the writer do not wait for
    /// each other.
    private static func setJournal(
        _ connection: SQLiteConnection,
        awaitsFirstLoad: Bool
    ) throws {
        let isLogged = try connection.text("PRAGMA journal_mode") == "wal"
        guard awaitsFirstLoad, !isLogged, try !StoreState.isOpened(connection) else {
            return try connection.execute("PRAGMA journal_mode = WAL")
        }
        try connection.execute("PRAGMA journal_mode = PERSIST")
    }

    /// Removes the journal that a load which did not come to its end has left beside the file; the next opening makes it again.
    package func removeJournal() async {
        try? await writer.run { connection in
            guard try connection.text("PRAGMA journal_mode") == "persist" else { return }
            try connection.execute("PRAGMA journal_mode = DELETE")
        }
    }

    /// Goes over to the write-ahead log when the first load is done; where others are in the way, the next opening does.
    package func beginLogging() async {
        try? await writer.run { try $0.execute("PRAGMA journal_mode = WAL") }
    }

    /// Reports commits to observers: those of this process at once, those of others soon.
    package func commits() -> AsyncStream<Void> {
        defer { foreign.watch() }
        return changes.stream()
    }

    /// Runs reading work in one read transaction.
    package func read<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await readers.run { connection in try connection.read { try body(connection) } }
    }

    /// Runs reading work that SQLite refuses inside a transaction.
    package func readOutsideTransaction<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await readers.run(body)
    }

    /// Runs reading work that ends when the task is cancelled, in one read transaction.
    package func readCancellable<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try await readers.runCancellable { connection in
            try connection.read { try body(connection) }
        }
    }

    /// Ends the reading work that can be cancelled.
    package func cancelReads() { readers.cancelAll() }

    /// Runs reading work while the calling thread waits.
    package func readBlocking<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try readers.runBlocking { connection in try connection.read { try body(connection) } }
    }

    /// Runs a single statement while the calling thread waits: it is a transaction of its own.
    package func stepBlocking<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try readers.runBlocking(body)
    }

    /// Runs changing work in one transaction.
    package func write<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try checkIsThere()
        return try await writer.run { connection in try connection.write { try body(connection) } }
    }

    /// Runs changing work in one transaction, and rolls it back whatever it did: it shows what would be.
    package func writeAndRollBack<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try checkIsThere()
        return try await writer.run { connection in
            var result: R?
            do {
                try connection.write {
                    result = try body(connection)
                    throw RolledBack()
                }
            } catch is RolledBack {}
            guard let result else { throw RolledBack() }
            return result
        }
    }

    /// Ends a transaction that is not to be committed.
    private struct RolledBack: Error {}

    /// Runs a short change in a transaction that it shares with others which wait at the same time.
    package func writeTogether<R: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> R
    ) async throws -> R {
        try checkIsThere()
        waitingChanges.begin()
        defer { waitingChanges.end() }
        return try await group.run(body)
    }

    /// Runs changing work in one transaction while the calling thread waits.
    package func writeBlocking<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try checkIsThere()
        waitingChanges.begin()
        defer { waitingChanges.end() }
        return try writer.runBlocking { connection in
            try connection.write { try body(connection) }
        }
    }

    /// Refuses changes once the file was removed or replaced: they would go into an unlinked file and be lost.
    private func checkIsThere() throws { try Self.checkIsThere(path, as: identity) }

    private static func checkIsThere(_ path: String, as identity: FileIdentity?) throws {
        guard FileIdentity(path) == identity else {
            throw StoreError(
                .cannotOpen,
                "\(path) was removed or replaced since it was opened: make a new provider"
            )
        }
    }
}
