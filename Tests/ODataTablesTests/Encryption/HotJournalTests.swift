import Foundation
import TestSupport
import Testing

@testable import ODataSQLite

/// A process that was killed in a transaction has left a journal: with a wrong key it would be played back wrongly.
@Suite(.enabled(if: SQLiteCipher.present != nil, "SQLite has no cipher here"))
struct HotJournalTests {
    private static let keys = [
        EncryptionKey(bytes: Array(1...32)), EncryptionKey(text: "correct horse"),
    ]
    private static let rowCount: Int64 = 200

    private let folder: Folder
    private var path: String { folder.path + "/killed.sqlite" }

    init() throws { folder = try Folder() }

    /// A folder that goes with the test.
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Leaves a file in the middle of a transaction that has changed every page, the first one too.
    private func leave(_ key: EncryptionKey) throws {
        let original = folder.path + "/original.sqlite"
        let connection = try SQLiteConnection(path: original, mode: .create, key: key)
        try connection.execute(
            """
            PRAGMA journal_mode = PERSIST; PRAGMA cache_size = 2; CREATE TABLE t (a, b);
            WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT \(Self.rowCount))
            INSERT INTO t SELECT 'before', hex(randomblob(400)) FROM n;
            BEGIN; PRAGMA user_version = 7; UPDATE t SET a = 'after', b = hex(randomblob(800))
            """
        )
        for mark in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: original + mark, toPath: path + mark)
        }
        try connection.execute("ROLLBACK")
    }

    private func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix("killed") {
            files[name] = FileManager.default.contents(atPath: folder.path + "/" + name)
        }
        return files
    }

    @Test(arguments: keys) func isLeftAsItIsByAWrongKey(_ key: EncryptionKey) throws {
        try leave(key)
        let before = try files()
        #expect(before.count == 2)
        #expect(HotJournal.stands(beside: path))
        for wrong in [EncryptionKey(text: "wrong"), EncryptionKey(bytes: Array(2...33))] {
            #expect(throws: EncryptionMismatch.wrongKey) {
                try SQLiteConnection(path: path, mode: .readWrite, key: wrong)
            }
            #expect(try files() == before)
        }
    }

    @Test(arguments: keys, [false, true])
    func isPlayedBackByItsKey(_ key: EncryptionKey, _ isTorn: Bool) throws {
        try leave(key)
        if isTorn { try tearFirstPage() }
        let connection = try SQLiteConnection(path: path, mode: .readWrite, key: key)
        let rows = try connection.integer("SELECT count(*) FROM t WHERE a = 'before'")
        #expect(rows == Self.rowCount)
        #expect(try connection.integer("PRAGMA user_version") == 0)
        #expect(try files().keys.filter { $0.contains("-check-") } == [])
    }

    /// A power cut may leave half of a page that was being written.
    private func tearFirstPage() throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 600)
        try file.write(contentsOf: Data((0..<500).map { UInt8(truncatingIfNeeded: $0 * 7) }))
        try file.close()
    }

    @Test func isNoneWhereTheTransactionIsOver() throws {
        let connection = try SQLiteConnection(path: path, mode: .create, key: Self.keys[0])
        try connection.execute("PRAGMA journal_mode = PERSIST; CREATE TABLE t (a)")
        #expect(FileManager.default.fileExists(atPath: path + "-journal"))
        #expect(!HotJournal.stands(beside: path))
    }
}
