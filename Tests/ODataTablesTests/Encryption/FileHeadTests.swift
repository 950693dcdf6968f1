import Foundation
import Testing

@testable import ODataSQLite

/// What a file is like is seen before SQLite reads it, and without a change to it.
@Suite struct FileHeadTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        .path

    private func open(_ bytes: [UInt8], key: EncryptionKey? = nil) throws {
        try Data(bytes).write(to: URL(filePath: path))
        defer {
            #expect(FileManager.default.contents(atPath: path) == Data(bytes))
            try? FileManager.default.removeItem(atPath: path)
        }
        let connection = try SQLiteConnection(path: path, mode: .readWrite, key: key)
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    }

    private func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    @Test func refusesPagesOfRandomBytesWithoutAKey() {
        #expect(throws: EncryptionMismatch.keyMissing) { try open(random(8_192)) }
        #expect(throws: EncryptionMismatch.keyMissing) { try open(random(512)) }
    }

    /// A file of one byte is empty for SQLite3 Multiple Ciphers.
    @Test(arguments: [2, 511, 513, 4_095])
    func leavesOtherLengthsToSQLite(count: Int) {
        #expect(throws: SQLiteError.self) { try open(random(count)) }
    }

    @Test func leavesTextToSQLite() {
        let text = String(
            repeating: "Nothing of a database: Straße, naïve, 0123456789. ",
            count: 512
        )
        #expect(throws: SQLiteError.self) { try open(Array(text.utf8.prefix(4_096))) }
        #expect(throws: SQLiteError.self) { try open([UInt8](repeating: 0x80, count: 4_096)) }
    }

    @Test func takesAnEmptyFile() throws {
        try open([])
    }

    @Test(.enabled(if: SQLiteCipher.present == nil, "SQLite has a cipher here"))
    func refusesAnyKeyWithoutACipher() {
        #expect(throws: EncryptionMismatch.noCipher) { try open([], key: EncryptionKey(text: "a")) }
    }

    @Test(.enabled(if: SQLiteCipher.present != nil, "SQLite has no cipher here"))
    func refusesAKeyForAPlainFile() throws {
        let plain = path + "-plain"
        defer { try? FileManager.default.removeItem(atPath: plain) }
        try SQLiteConnection(path: plain, mode: .create).execute("CREATE TABLE t (a)")
        let bytes = try #require(FileManager.default.contents(atPath: plain))
        #expect(throws: EncryptionMismatch.notEncrypted) {
            try open([UInt8](bytes), key: EncryptionKey(text: "a"))
        }
    }
}
