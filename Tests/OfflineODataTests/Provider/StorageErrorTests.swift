import ODataSQLite
import Testing

@testable import OfflineProvider
@testable import OfflineOData

/// Errors of the disk speak of the store's file, not of statements.
@Suite struct StorageErrorTests {
    @Test func namesTheFileInAnAnswer() {
        let error = SQLiteError(extendedCode: 266, message: "disk I/O error", sql: "SELECT 1")
        let answer = OfflineODataProvider.answer(to: error, of: "/data/a.store")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains("/data/a.store cannot be read or written; check the disk"))
        #expect(!text.contains("SELECT"))
    }

    /// There is no room for the index of the write-ahead log (`SQLITE_IOERR_SHMSIZE`): it is the disk that is full, not broken.
    @Test func saysOfADiskThatIsTooFullToReadThatItIsFull() {
        let error = SQLiteError(extendedCode: 4874, message: "disk I/O error", sql: "SELECT 1")
        let text = String(decoding: OfflineODataProvider.answer(to: error).body, as: UTF8.self)
        #expect(text == "the disk is full: free some space and try again; nothing is lost")
    }
}
