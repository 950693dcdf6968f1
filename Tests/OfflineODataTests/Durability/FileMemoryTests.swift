@testable import ODataSQLite
import ODataValues
import TestSupport
import Testing

/// Numbers of the file that a connection keeps in mind.
@Suite struct FileMemoryTests {
    private let directory: TemporaryDirectory
    private let own: SQLiteConnection
    private let other: SQLiteConnection

    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.path + "/memory.sqlite"
        own = try SQLiteConnection(path: path, mode: .create)
        try own.execute(
            "PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)"
        )
        other = try SQLiteConnection(path: path, mode: .readWrite)
    }

    private func number() throws -> Int64 {
        try own.remembered(\.lastRequest) { try own.integer("SELECT n FROM t") ?? 0 }
    }

    @Test func readsOnceWhileNobodyElseWrites() throws {
        #expect(try own.write { try number() } == 1)
        let before = own.startedStatementCount
        #expect(try own.write { try number() } == 1)
        #expect(own.startedStatementCount == before)
    }

    @Test func readsAgainWhenAnotherConnectionHasWritten() throws {
        #expect(try own.write { try number() } == 1)
        try other.write { try other.run("UPDATE t SET n = 2") }
        #expect(try own.write { try number() } == 2)
        try other.write { try other.execute("CREATE TABLE later (n)") }
        #expect(try own.write { try own.tableNames().contains("later") })
    }

    @Test func readsAgainInATransactionThatOnlyReads() throws {
        #expect(try own.write { try number() } == 1)
        try other.write { try other.run("UPDATE t SET n = 2") }
        #expect(try own.read { try number() } == 2)
    }

    @Test func forgetsWhatAStatementOutsideTransactionsChanges() throws {
        #expect(try own.write { try number() } == 1)
        try own.run("UPDATE t SET n = 2")
        #expect(try own.write { try number() } == 2)
    }

    @Test func findsStatementsByTheObjectOfTheirText() throws {
        let text = SQLText("SELECT n + ?1 FROM t")
        #expect(try own.integer(text, bindings: [.integer(1)]) == 2)
        let before = own.preparedStatementCount
        #expect(try own.integer(text, bindings: [.integer(2)]) == 3)
        #expect(try own.integer("SELECT n + ?1 FROM t", [.integer(3)]) == 4)
        #expect(own.preparedStatementCount == before)
        // One that is being stepped is not disturbed.
        let running = try own.statement(text)
        try running.bind([.integer(1)])
        #expect(try running.step())
        #expect(try own.integer(text, bindings: [.integer(5)]) == 6)
        #expect(running.integer(0) == 2)
        running.reset()
    }

    @Test func forgetsWhatARollbackTakesBack() throws {
        #expect(try own.write { try number() } == 1)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try own.write {
                try own.run("UPDATE t SET n = 3")
                own.remember(3, as: \.lastRequest)
                try own.execute("CREATE TABLE gone (n)")
                #expect(try own.tableNames().contains("gone"))
                throw Stop()
            }
        }
        #expect(try own.write { try number() } == 1)
        #expect(try own.write { try !own.tableNames().contains("gone") })
        #expect(throws: Stop.self) {
            try own.write {
                try? own.savepoint {
                    own.remember(4, as: \.lastRequest)
                    throw Stop()
                }
                #expect(try number() == 1)
                throw Stop()
            }
        }
    }

    @Test func seesItsOwnTables() throws {
        #expect(try own.write { try !own.tableNames().contains("mine") })
        try own.write { try own.execute("CREATE TABLE mine (n)") }
        #expect(try own.write { try own.tableNames().contains("mine") })
    }

    @Test func keepsNothingOutsideTransactions() throws {
        #expect(try number() == 1)
        try own.run("UPDATE t SET n = 5")
        #expect(try number() == 5)
    }
}
