import OfflineOData
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is said where a file and a key do not go together; nothing is changed then.
@Suite struct EncryptionRefusalTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/localstore.sqlite" }

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ adjust: (OfflineODataParameters) -> Void) throws(OfflineODataError) {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        adjust(parameters)
        _ = try OfflineODataProvider(serviceRoot: SecretService.root, parameters: parameters)
    }

    private func error(_ adjust: (OfflineODataParameters) -> Void) -> OfflineODataError? {
        do {
            try open(adjust)
            return nil
        } catch {
            return error
        }
    }

    @Test(.enabled(if: !OfflineODataEncryptionKey.isAvailable, "SQLite has a cipher here"))
    func saysThatSQLiteCannotEncryptAndMakesNoFile() throws {
        let error = try #require(error { $0.storeEncryptionKey = "correct horse" })
        #expect(error.category == .notSupported && error.code == .encryptionNotAvailable)
        #expect(error.message.contains("SQLCipher 4 or SQLite3 Multiple Ciphers"))
        #expect(!"\(error)".contains("correct horse"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test(.enabled(if: !OfflineODataEncryptionKey.isAvailable, "SQLite has a cipher here"))
    func saysThatSQLiteCannotRekey() async throws {
        try open { _ in }
        let before = FileManager.default.contents(atPath: path)
        let error = await #expect(throws: OfflineODataError.self) {
            try await OfflineODataProvider.changeEncryptionKey(
                ofStoreAt: path,
                from: nil,
                to: OfflineODataEncryptionKey("correct horse")
            )
        }
        #expect(error?.code == .encryptionNotAvailable)
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    @Test func saysThatAnEncryptedFileNeedsItsKey() throws {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<8_192).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        let error = try #require(error { _ in })
        #expect(error.category == .invalidInput && error.code == .encryptionKeyMissing)
        #expect(error.message.contains(path) && error.message.contains("give the key"))
        #expect(FileManager.default.contents(atPath: path) == Data(bytes))
    }

    @Test func takesOneKeyOnly() throws {
        let error = try #require(
            error {
                $0.storeEncryptionKey = "a"
                $0.storeKey = OfflineODataEncryptionKey("a")
            }
        )
        #expect(error.category == .invalidInput)
    }

    @Test func refusesAnEmptyKey() throws {
        #expect(error { $0.storeEncryptionKey = "" }?.category == .invalidInput)
        #expect(
            error { $0.storeKey = OfflineODataEncryptionKey(bytes: []) }?.category == .invalidInput
        )
    }

    @Test func showsNothingOfAKey() {
        let key = OfflineODataEncryptionKey("correct horse")
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!("\(key)" + String(reflecting: key) + dumped).contains("horse"))
    }
}
