import Testing

@testable import ODataSQLite

/// What the ciphers are given of a key.
@Suite struct EncryptionKeyTests {
    private let ciphers = (
        multiple: SQLiteCipher.multipleCiphers("chacha20"), sqlCipher: SQLiteCipher.sqlCipher("4.5")
    )

    private func text(_ secret: SecretBytes) -> String {
        secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }

    @Test func givesPassphrasesInDigitsSoThatQuotesDoNotMatter() {
        let key = EncryptionKey(text: "it's \"é\"")
        for cipher in [ciphers.multiple, ciphers.sqlCipher] {
            #expect(text(key.statement(cipher)) == "PRAGMA hexkey = '697427732022c3a922'\0")
            #expect(text(key.attached(cipher)) == "it's \"é\"")
        }
    }

    @Test func gives32BytesAsTheKeyItself() {
        let key = EncryptionKey(bytes: Array(0..<32))
        let digits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        #expect(text(key.statement(ciphers.multiple)) == "PRAGMA key = \"raw:\(digits)\"\0")
        #expect(text(key.statement(ciphers.sqlCipher)) == "PRAGMA key = \"x'\(digits)'\"\0")
        #expect(text(key.attached(ciphers.multiple)) == "raw:\(digits)")
        #expect(text(key.attached(ciphers.sqlCipher)) == "x'\(digits)'")
    }

    @Test(arguments: [1, 16, 31, 33, 64])
    func takesAnyOtherNumberOfBytesAsAPassphrase(count: Int) {
        let key = EncryptionKey(bytes: [UInt8](repeating: 0, count: count))
        let digits = String(repeating: "00", count: count)
        #expect(text(key.statement(ciphers.multiple)) == "PRAGMA hexkey = '\(digits)'\0")
    }

    @Test func tellsEmptyKeys() {
        #expect(EncryptionKey(text: "").isEmpty)
        #expect(!EncryptionKey(text: "a").isEmpty)
    }

    /// A passphrase that the cipher takes for the key itself would open files of another one.
    @Test(
        arguments: [
            ("x'" + String(repeating: "0", count: 96) + "'", true), ("raw:00", true),
            ("X'a'", true),
            ("xylophone", false), ("", false), ("correct horse", false),
        ]
    )
    func tellsPassphrasesThatLookLikeKeys(_ text: String, _ isTaken: Bool) {
        #expect(EncryptionKey(text: text).isTakenForRaw == isTaken)
        #expect(!EncryptionKey(bytes: Array(repeating: 0x78, count: 32)).isTakenForRaw)
    }
}
