import ODataSQLite
import ODataValues
import StoreRecords
import Dispatch
import ODataTables
import OfflineStore
import Synchronization
import TestSupport
import Testing

/// How much SQLite still does when a read is cancelled in its middle.
@Suite struct CancelledReadTests {
    private static let metadata = """
        <?xml version="1.0"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Thing"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Things" EntityType="N.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Operations of SQLite's machine between two looks at the flag, and some that a look may come too late for.
    private static let bound = 10_000

    /// One row at once, then work of more than a hundred million operations.
    private static let sql = """
        SELECT 0 UNION ALL
        SELECT count(*) FROM (
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 20000000)
            SELECT n FROM number
        )
        """

    /// What a read has done when it ended.
    private struct Work: Sendable {
        var before = 0
        var after = 0
        var rows = 0
    }

    @Test func theStatementEndsSoonAfterTheCancel() async throws {
        let store = try FilledStore(Array(Self.metadata.utf8))
        let work = Mutex(Work())
        let (started, begun) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = DispatchSemaphore(value: 0)
        let read = Task {
            try await store.store.readCancellable { query, _ in
                let statement = try query.connection.prepare(Self.sql)
                defer {
                    let count = statement.operationCount
                    work.guarded { $0.after = count }
                }
                while try statement.step() {
                    let count = statement.operationCount
                    let rows = work.guarded { work in
                        work.rows += 1
                        work.before = count
                        return work.rows
                    }
                    guard rows == 1 else { continue }
                    begun.yield()
                    isCancelled.wait()
                }
            }
        }
        for await _ in started { break }
        read.cancel()
        isCancelled.signal()

        await #expect(throws: CancellationError.self) { try await read.value }

        let done = work.guarded { $0 }
        #expect(done.rows == 1)
        #expect(done.after - done.before <= Self.bound)
        // The connection is good for the next read, which no cancel reaches any more.
        for _ in 0..<8 {
            let sum = try await store.store.readCancellable { query, _ in
                try query.connection.integer("SELECT 40 + 2")
            }
            #expect(sum == 42)
        }
    }

    /// SQLite checks a whole file in one step of its machine, where it looks at no flag but its own.
    @Test func endsACheckThatIsOneStep() async throws {
        let store = try FilledStore(Array(Self.metadata.utf8))
        let (started, begun) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = DispatchSemaphore(value: 0)
        let check = Task {
            try await store.store.readCancellable { query, _ in
                try query.connection.interruptible {
                    begun.yield()
                    isCancelled.wait()
                    return try query.connection.text("PRAGMA integrity_check")
                }
            }
        }
        for await _ in started { break }
        check.cancel()
        isCancelled.signal()

        await #expect(throws: CancellationError.self) { try await check.value }
        // No reader keeps the interrupt.
        for _ in 0..<8 {
            let answer = try await store.store.readCancellable { query, _ in
                try query.connection.interruptible {
                    try query.connection.text("PRAGMA integrity_check")
                }
            }
            #expect(answer == "ok")
        }
    }

    @Test func aReadThatWaitsForAConnectionDoesNotBegin() async throws {
        let store = try FilledStore(Array(Self.metadata.utf8))
        let (started, begun) = AsyncStream.makeStream(of: Void.self)
        let isOver = DispatchSemaphore(value: 0)
        // Every reader is lent.
        let holders = (0..<StoreFile.readerCount).map { _ in
            Task {
                try await store.store.readCancellable { _, _ in
                    begun.yield()
                    isOver.wait()
                }
            }
        }
        var count = 0
        for await _ in started {
            count += 1
            if count == holders.count { break }
        }
        let hasRun = Mutex(false)
        let read = Task {
            try await store.store.readCancellable { _, _ in hasRun.guarded { $0 = true } }
        }
        read.cancel()

        await #expect(throws: CancellationError.self) { try await read.value }
        for _ in holders { isOver.signal() }
        for holder in holders { try await holder.value }
        #expect(!hasRun.guarded { $0 })
    }

    /// Reads that are long and many leave the threads that Swift's tasks run on to the tasks.
    @Test func longReadsKeepNoTaskWaiting() async throws {
        let store = try FilledStore(Array(Self.metadata.utf8))
        let flag = CancelFlag()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let wasOver = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<StoreFile.readerCount {
                group.addTask { [store = store.store, flag] in
                    try await store.readCancellable { query, _ in
                        begin.yield()
                        return try Self.work(query.connection) { flag.isSet }
                    }
                }
            }
            var all = begun.makeAsyncIterator()
            for _ in 0..<StoreFile.readerCount { await all.next() }
            flag.set()
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(wasOver)
    }

    /// Lets SQLite count until a condition holds; answers whether it ever did.
    private static func work(
        _ connection: SQLiteConnection,
        until isOver: () -> Bool
    ) throws -> Bool {
        for _ in 0..<2_000 where !isOver() {
            _ = try connection.integer(
                """
                WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 100000)
                SELECT count(*) FROM number
                """
            )
        }
        return isOver()
    }
}
