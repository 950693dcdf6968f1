import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ODataSQLite

/// Opening an encrypted file reads its first page, which another connection may be writing.
@Suite(.enabled(if: SQLiteCipher.present != nil, "SQLite has no cipher here"))
struct EncryptedFileLockTests {
    private static let key = EncryptionKey(bytes: Array(1...32))

    @Test func waitsForAWriterWhileItOpens() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let failures = try await onThread { try Self.openBesideAWriter(path, rounds: 20) }
        #expect(failures == [])
    }

    /// Opens the file on another thread while it is locked; the lock goes once the other thread has begun.
    private static func openBesideAWriter(_ path: String, rounds: Int) throws -> [String] {
        let writer = try SQLiteConnection(path: path, mode: .create, key: key)
        try writer.execute("PRAGMA journal_mode = DELETE; CREATE TABLE t (a)")
        let failures = Failures()
        for _ in 0..<rounds {
            try writer.execute("BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)")
            let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                begun.signal()
                do {
                    _ = try SQLiteConnection(path: path, mode: .readOnly, key: key)
                } catch {
                    failures.add("\(error)")
                }
                ended.signal()
            }
            begun.wait()
            try writer.execute("COMMIT")
            ended.wait()
        }
        return failures.all
    }

    private final class Failures: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }
}
