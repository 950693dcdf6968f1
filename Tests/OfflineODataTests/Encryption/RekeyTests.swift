import ODataSQLite
import TestSupport
import Testing

@testable import OfflineProvider
@testable import OfflineValues
@testable import OfflineOData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Changing the key of a store keeps everything that is in it.
@Suite(.enabled(if: OfflineODataEncryptionKey.isAvailable, "SQLite has no cipher here"))
struct RekeyTests {
    private static let text = OfflineODataEncryptionKey("correct horse")
    private static let bytes = OfflineODataEncryptionKey(bytes: Array(1...32))

    /// A change of the key.
    struct Change: Sendable, CustomTestStringConvertible {
        var name: String
        var old: OfflineODataEncryptionKey?
        var new: OfflineODataEncryptionKey?
        var testDescription: String { name }
    }

    static let changes = [
        Change(name: "text to bytes", old: text, new: bytes),
        Change(name: "bytes to text", old: bytes, new: text),
        Change(name: "plain to text", old: nil, new: text),
        Change(name: "bytes to plain", old: bytes, new: nil),
    ]

    /// A store that nobody has open, and the service that it belongs to.
    private struct ClosedStore {
        var directory: TemporaryDirectory
        var transport: HandlerTransport
        var path: String { directory.path + "/localstore.sqlite" }
    }

    /// A store with something of everything: pending changes, a stream, errors.
    ///
    /// The provider ends with this function, and its connections with it.
    private func store(_ key: OfflineODataEncryptionKey?) async throws -> ClosedStore {
        let workshop = try await Workshop(parameters: { $0.storeKey = key })
        let changed = await workshop.send("PATCH", "People(1)", #"{"Status":"Zwölfboxkämpfer"}"#)
        let created = await workshop.send("POST", "Tools", #"{"Serial":"H-1","Name":"Hammer"}"#)
        #expect(changed.isSuccess && created.isSuccess)
        try await workshop.provider.close(force: true)
        return ClosedStore(directory: workshop.directory, transport: workshop.transport)
    }

    /// Every row of every table with its row id, as far as it has one, and what has made the tables.
    private func content(_ path: String, _ key: OfflineODataEncryptionKey?) throws -> [String] {
        let file = try SQLiteConnection(path: path, mode: .readOnly, key: key?.key)
        var lines: [String] = []
        for pragma in ["application_id", "user_version", "page_size", "auto_vacuum"] {
            lines.append("\(pragma) \(try file.integer("PRAGMA \(pragma)") ?? -1)")
        }
        try file.forEachRow("SELECT coalesce(\"sql\", \"name\") FROM sqlite_schema ORDER BY rowid")
        {
            lines.append($0.string(0))
        }
        for table in try file.tableNames().sorted() {
            let rowID = (try? file.prepare("SELECT rowid FROM \(table.sqlQuoted)")) != nil
            try file.forEachRow("SELECT \(rowID ? "rowid," : "") * FROM \(table.sqlQuoted)") {
                row in
                let values = (0..<row.columnCount).map { "\(row.scalar($0))" }
                lines.append(table + " " + values.joined(separator: "|"))
            }
        }
        return lines.sorted()
    }

    @Test(arguments: changes) func keepsEverything(change: Change) async throws {
        let store = try await store(change.old)
        let path = store.path
        let before = try content(path, change.old)
        try await OfflineODataProvider.changeEncryptionKey(
            ofStoreAt: path,
            from: change.old,
            to: change.new
        )
        #expect(try content(path, change.new) == before)
        #expect(throws: (any Error).self) { try content(path, change.old) }
        let found = try PlainTextSearch.files(
            in: store.directory.path,
            holding: "Zwölfboxkämpfer"
        )
        #expect(found == (change.new == nil ? ["localstore.sqlite"] : []))
        let parameters = OfflineODataParameters()
        parameters.storeKey = change.new
        parameters.transport = store.transport
        let again = try OfflineODataProvider(storeFile: path, parameters: parameters)
        try await again.open()
        #expect(try await again.requestQueue().count == 2)
        try await again.upload()
        try await again.download()
        #expect(try await again.requestQueue().isEmpty)
        #expect(try await again.checkIntegrity().compactMap(\.message) == [])
    }

    @Test func removesWhatWasMadeWithTheOldKey() async throws {
        let store = try await store(nil)
        let path = store.path
        let left = [
            "-staging", "-fetch3-staging", "-check-1f", "-copy-2e", "-rekey", "-upload-3d",
        ]
        for suffix in left {
            _ = FileManager.default.createFile(atPath: path + suffix, contents: Data("old".utf8))
        }
        try await OfflineODataProvider.changeEncryptionKey(
            ofStoreAt: path,
            from: nil,
            to: Self.text
        )
        for suffix in left { #expect(!FileManager.default.fileExists(atPath: path + suffix)) }
    }

    @Test(arguments: [0o600, 0o640]) func keepsThePermissionsOfTheFile(mode: Int) async throws {
        let store = try await store(nil)
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: store.path)
        try await OfflineODataProvider.changeEncryptionKey(
            ofStoreAt: store.path,
            from: nil,
            to: Self.bytes
        )
        let found = try files.attributesOfItem(atPath: store.path)[.posixPermissions]
        #expect(found.map { "\($0)" } == "\(mode)")
    }

    @Test(arguments: [EncryptedKillTests.Phase.firstLoad, .download, .answer])
    func leavesNothingInPlainTextOfAPlainStore(phase: EncryptedKillTests.Phase) async throws {
        let directory = try TemporaryDirectory()
        try await EncryptedKillTests.leave(in: directory.path, killedIn: phase, isPlain: true)
        let mark = SecretService.mark
        #expect(try PlainTextSearch.files(in: directory.path, holding: mark).count > 0)
        try await OfflineODataProvider.changeEncryptionKey(
            ofStoreAt: directory.path + "/localstore.sqlite",
            from: nil,
            to: Self.bytes
        )
        #expect(try PlainTextSearch.files(in: directory.path, holding: mark) == [])
        let again = try SecretService.provider(in: directory.path, key: Self.bytes)
        try await again.open()
        #expect(try await again.checkIntegrity().compactMap(\.message) == [])
    }

    /// Ends a transaction that was cut; the file has no write-ahead log.
    private func playBack(_ path: String) throws {
        let file = try SQLiteConnection(path: path, mode: .readWrite)
        #expect(try file.text("PRAGMA journal_mode") == "delete")
        #expect(try file.tableNames().count > 0)
    }

    /// It is kept for the next transaction, and begins with zeros between two of them.
    @Test func removesTheJournalOfACutFirstLoad() async throws {
        let directory = try TemporaryDirectory()
        try await EncryptedKillTests.leave(in: directory.path, killedIn: .firstLoad, isPlain: true)
        let path = directory.path + "/localstore.sqlite"
        try playBack(path)
        let pages = Data(repeating: 0, count: 28) + Data(SecretService.mark.utf8)
        _ = FileManager.default.createFile(atPath: path + "-journal", contents: pages)
        try await OfflineODataProvider.changeEncryptionKey(
            ofStoreAt: path,
            from: nil,
            to: Self.bytes
        )
        let found = try PlainTextSearch.files(in: directory.path, holding: SecretService.mark)
        #expect(found == [])
    }

    @Test func refusesAStoreThatIsOpen() async throws {
        let store = try await store(Self.bytes)
        let parameters = OfflineODataParameters()
        parameters.storeKey = Self.bytes
        let other = try OfflineODataProvider(storeFile: store.path, parameters: parameters)
        let error = await #expect(throws: OfflineODataError.self) {
            try await OfflineODataProvider.changeEncryptionKey(
                ofStoreAt: store.path,
                from: Self.bytes,
                to: Self.text
            )
        }
        #expect(error?.category == .inUse)
        #expect(try await other.executeQuery("People").count > 0)
        #expect(!FileManager.default.fileExists(atPath: store.path + "-rekey"))
    }

    @Test func refusesWrongKeysAndLeavesTheStore() async throws {
        let store = try await store(Self.bytes)
        let before = FileManager.default.contents(atPath: store.path)
        for (old, code) in [
            (Self.text, OfflineODataError.Code.wrongEncryptionKey), (nil, .encryptionKeyMissing),
        ] {
            let error = await #expect(throws: OfflineODataError.self) {
                try await OfflineODataProvider.changeEncryptionKey(
                    ofStoreAt: store.path,
                    from: old,
                    to: OfflineODataEncryptionKey("new")
                )
            }
            #expect(error?.code == code)
        }
        #expect(FileManager.default.contents(atPath: store.path) == before)
    }

    @Test func refusesAFileThatIsNoStore() async throws {
        let directory = try TemporaryDirectory()
        let missing = await #expect(throws: OfflineODataError.self) {
            try await OfflineODataProvider.changeEncryptionKey(
                ofStoreAt: directory.path + "/none",
                from: nil,
                to: Self.text
            )
        }
        #expect(missing?.code == .noStore)
        let other = directory.path + "/other"
        try SQLiteConnection(path: other, mode: .create).execute("CREATE TABLE t (a)")
        let foreign = await #expect(throws: OfflineODataError.self) {
            try await OfflineODataProvider.changeEncryptionKey(
                ofStoreAt: other,
                from: nil,
                to: Self.text
            )
        }
        #expect(foreign?.code == .notAStore)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().first
                == "other"
        )
    }
}
