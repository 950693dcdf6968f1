import ODataSQLite
import OfflineOData
import TestSupport
import Testing

/// What another program has put into a store's file is no sound store.
@Suite struct IntegrityTests {
    @Test(arguments: [
        (
            #"CREATE TRIGGER t AFTER INSERT ON "$queue" BEGIN DELETE FROM "$queue"; END"#,
            "the trigger t on $queue"
        ),
        (#"CREATE VIEW v AS SELECT 1"#, "the view v"),
    ])
    func noticesForeignObjects(_ statement: String, _ object: String) async throws {
        let shop = try await Workshop()
        #expect(try await shop.provider.checkIntegrity().isEmpty)
        let file = try SQLiteConnection(
            path: shop.directory.path + "/localstore.sqlite",
            mode: .readWrite,
            key: TestKey.connection
        )
        try file.execute(statement)
        let faults = try await shop.provider.checkIntegrity()
        #expect(faults.map(\.message) == [object + " is none of the store's: drop it"])
    }
}
