import ODataSQLite
@testable import OfflineProvider
@testable import OfflineValues
@testable import OfflineOData
import OfflineStore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Encrypted stores, with a SQLite that has a cipher.
@Suite(.enabled(if: OfflineODataEncryptionKey.isAvailable, "SQLite has no cipher here"))
struct EncryptedStoreTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/localstore.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    /// Makes a loaded store and returns what its files hold once it is closed.
    private func make(_ key: OfflineODataEncryptionKey?) async throws {
        let provider = try SecretService.provider(in: directory.path, key: key)
        try await provider.open()
        try await provider.close()
    }

    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let pairs = names.map {
            ($0, FileManager.default.contents(atPath: directory.path + "/" + $0))
        }
        return Dictionary(uniqueKeysWithValues: pairs).compactMapValues(\.self)
    }

    private func code(opening key: OfflineODataEncryptionKey?) -> OfflineODataError.Code? {
        do {
            _ = try SecretService.provider(in: directory.path, key: key)
            return nil
        } catch let error as OfflineODataError {
            return error.code
        } catch {
            return .other
        }
    }

    private static let keys = [
        OfflineODataEncryptionKey("correct horse"), OfflineODataEncryptionKey("it's \"x'00'\" é"),
        OfflineODataEncryptionKey(bytes: Array(1...32)),
        OfflineODataEncryptionKey(bytes: [0, 255, 39]),
    ]

    @Test(arguments: keys) func opensWithItsKeyAgain(key: OfflineODataEncryptionKey) async throws {
        try await make(key)
        let again = try SecretService.provider(in: directory.path, key: key)
        #expect(try await again.executeQuery("Books?$top=2&$orderby=ID desc").count == 2)
        #expect(try PlainTextSearch.files(in: directory.path, holding: SecretService.mark) == [])
        let head = FileManager.default.contents(atPath: path)?.prefix(6)
        #expect(head != Data("SQLite".utf8))
    }

    @Test func readsInSeveralConnectionsAtOnce() async throws {
        let key = OfflineODataEncryptionKey(bytes: Array(1...32))
        try await make(key)
        let provider = try SecretService.provider(in: directory.path, key: key)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 { group.addTask { try await provider.executeQuery("Books").count } }
            for try await count in group { #expect(count == SecretService.pageCount * 300) }
        }
    }

    /// A process that was killed has left a log and a journal: a wrong key leaves them to the right one.
    @Test(arguments: [EncryptedKillTests.Phase.change, .firstLoad])
    func refusesWrongAndMissingKeysAndLeavesTheFilesAsTheyAre(
        phase: EncryptedKillTests.Phase
    ) async throws {
        try await EncryptedKillTests.leave(in: directory.path, killedIn: phase)
        let before = try files()
        #expect(code(opening: OfflineODataEncryptionKey("wrong")) == .wrongEncryptionKey)
        let bytes = OfflineODataEncryptionKey(bytes: Array(2...33))
        #expect(code(opening: bytes) == .wrongEncryptionKey)
        #expect(code(opening: nil) == .encryptionKeyMissing)
        let after = try files()
        let names = Set(before.keys).union(after.keys).filter { !$0.hasSuffix("-shm") }
        #expect(names.filter { before[$0] != after[$0] } == [])
        #expect(code(opening: EncryptedKillTests.key) == nil)
    }

    @Test func refusesAKeyForAPlainStore() async throws {
        try await make(nil)
        let before = try files()
        #expect(code(opening: OfflineODataEncryptionKey("correct horse")) == .notEncrypted)
        #expect(try files() == before)
    }

    @Test func keepsTemporaryTablesInMemory() throws {
        let connection = try SQLiteConnection(
            path: path,
            mode: .create,
            key: EncryptionKey(text: "correct horse")
        )
        #expect(try connection.integer("PRAGMA temp_store") == 2)
    }

    @Test func comparesWithTheServiceInACopyThatIsEncryptedToo() async throws {
        let key = OfflineODataEncryptionKey("correct horse")
        try await make(key)
        let directory = directory
        let service = SecretService { request in
            guard request.hasSuffix("skip=5") else { return }
            let found = try? PlainTextSearch.files(in: directory.path, holding: SecretService.mark)
            #expect(found == [])
        }
        let provider = try SecretService.provider(in: directory.path, key: key, service)
        #expect(try await provider.compareWithService().differences.isEmpty)
    }

    @Test func readsTheServiceIntoAFileThatIsEncryptedToo() async throws {
        let key = OfflineODataEncryptionKey("correct horse")
        try await make(key)
        let (directory, count) = (directory, Counter())
        let service = SecretService { request in
            guard request.hasSuffix("skip=5") else { return }
            _ = count.next()
            let found = try? PlainTextSearch.files(in: directory.path, holding: SecretService.mark)
            #expect(found == [])
            let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names?.contains { $0.hasSuffix("-staging") } == true)
        }
        let provider = try SecretService.provider(in: directory.path, key: key, service)
        _ = try await provider.router.fetch(.init("Books"))
        #expect(count.count == 1)
    }

    @Test func sendsAnEncryptedCopy() async throws {
        let key = OfflineODataEncryptionKey("correct horse")
        try await make(key)
        let copy = directory.path + "/copy"
        let store = try SecretService.provider(in: directory.path, key: key).store
        try await store.copy(to: copy)
        #expect(try PlainTextSearch.files(in: directory.path, holding: SecretService.mark) == [])
        let connection = try SQLiteConnection(
            path: copy,
            mode: .readOnly,
            key: EncryptionKey(text: "correct horse")
        )
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
    }
}
