import Foundation
import StoreRecords
import Testing

/// Loads from the service end each other; an upload and an import go on by themselves alone.
@Suite struct InterruptedOperationTests {
    @Test(arguments: [
        (["open"], "download", []), (["download"], "open", []),
        (["open", "upload"], "download", ["upload"]),
        (["open", "upload"], "upload", ["open"]), (["open", "import"], "import", ["open"]),
        (["import"], "download", ["import"]),
    ])
    func endWithTheirKind(_ begun: [String], _ ended: String, _ left: [String]) throws {
        let path = NSTemporaryDirectory() + "operations-" + UUID().uuidString
        defer {
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + end)
            }
        }
        let file = try StoreFile(path: path, isCreating: true)
        let found = try file.writeBlocking { connection in
            for operation in begun { try StoreState.begin(operation, on: connection) }
            try StoreState.end(ended, on: connection)
            return try StoreState.interruptedOperations(connection)
        }
        #expect(found == left)
        #expect(
            ["open", "download", "upload", "import"].filter(StoreState.isLoad) == [
                "open", "download",
            ]
        )
    }
}
