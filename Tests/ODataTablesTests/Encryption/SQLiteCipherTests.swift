import Testing

@testable import ODataSQLite

/// Which extension encrypts is told by what SQLite answers.
@Suite struct SQLiteCipherTests {
    @Test func plainSQLiteHasNone() {
        #expect(SQLiteCipher(version: nil, scheme: nil) == nil)
        #expect(SQLiteCipher(version: "", scheme: "") == nil)
    }

    @Test(arguments: ["4.5.0 community", "4.12.0 community", "5.0", "10.1"])
    func takesSQLCipherFromItsFourthVersion(version: String) {
        #expect(SQLiteCipher(version: version, scheme: nil) == .sqlCipher(version))
    }

    @Test(arguments: ["3.4.1", "2.0", "community"])
    func refusesSQLCipherBeforeItsFourthVersion(version: String) {
        #expect(SQLiteCipher(version: version, scheme: nil) == nil)
    }

    @Test func takesMultipleCiphers() {
        #expect(
            SQLiteCipher(version: nil, scheme: "chacha20") == .multipleCiphers("chacha20")
        )
    }
}
