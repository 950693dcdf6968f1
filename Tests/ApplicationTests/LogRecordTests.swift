import OfflineOData
import Synchronization
import Testing

/// What a logger hears of each thing that can be done to a store.
@Suite struct LogRecordTests {
    /// Collects what the engine logs.
    private final class Collector: OfflineODataLogger {
        let level = OfflineODataLogLevel.trace
        private let records = Mutex<[OfflineODataLogRecord]>([])

        func log(_ record: OfflineODataLogRecord) { records.withLock { $0.append(record) } }

        /// The last record of an event.
        func record(_ event: String) -> OfflineODataLogRecord? {
            records.withLock { all in all.last { $0.event == event } }
        }

        /// How many records there are of an event.
        func count(_ event: String) -> Int { records.withLock { $0.count { $0.event == event } } }

        /// Everything that the records say.
        var text: String { records.withLock { all in all.map { "\($0.fields)" }.joined() } }
    }

    private func logged() async throws -> (ShopStore, OfflineODataProvider, Collector) {
        let shop = try await ShopStore()
        let collector = Collector()
        let parameters = OfflineODataParameters()
        parameters.logger = collector
        parameters.transport = shop.service
        parameters.retryPolicy = .never
        let provider = try OfflineODataProvider(
            storeFile: shop.directory.appending(path: "localstore.sqlite").path,
            serviceRoot: ScriptedService.root,
            parameters: parameters
        )
        return (shop, provider, collector)
    }

    private func create(_ ids: ClosedRange<Int>, in provider: OfflineODataProvider) async throws
        -> [Int64]
    {
        for id in ids {
            try await provider.createEntity(
                EntityValue(entitySet: "Items", ["ID": ODataValue(id), "Name": "SECRET"])
            )
        }
        return try await provider.requestQueue().map(\.id)
    }

    @Test func hearsOfEditsOfTheQueue() async throws {
        let (shop, provider, log) = try await logged()
        let ids = try await create(10...14, in: provider)
        try await provider.moveRequest(ids[1], before: ids[0])
        #expect(log.record("request.moved")?["request"] == .integer(ids[1]))
        try await provider.editRequest(ids[0], values: ["ID": 10, "Name": "SECRET 2"])
        #expect(log.record("request.edited")?["request"] == .integer(ids[0]))
        try await provider.dropRequest(ids[0])
        let dropped = log.record("request.dropped")
        #expect(dropped?["request"] == .integer(ids[0]))
        #expect(dropped?["requests"] == .integer(1))
        #expect(dropped?.level == .info)
        try await provider.undoPendingChanges("Items(11)")
        #expect(log.record("undo")?["entities"] == .integer(1))
        #expect(log.record("undo")?["requests"] == .integer(1))
        try await provider.undoPendingChanges(try await provider.executeQuery("Items(12)"))
        #expect(log.record("undo")?["requests"] == .integer(1))
        try await provider.undoAllPendingChanges()
        #expect(log.record("undo")?["requests"] == .integer(2))
        await #expect(throws: OfflineODataError.self) { try await provider.dropRequest(99) }
        let failed = log.record("request.dropped.failed")
        #expect(failed?.level == .error)
        #expect(failed?["request"] == .integer(99))
        #expect(failed?["category"] == .text("notFound"))
        #expect(!log.text.contains("SECRET"))
        withExtendedLifetime(shop) {}
    }

    @Test func hearsOfRefusedRequestsAndConflicts() async throws {
        let (shop, provider, log) = try await logged()
        for id in [1, 2] {
            var item = try #require(try await provider.executeQuery("Items(\(id))").first)
            item["Name"] = "bad SECRET"
            try await provider.updateEntity(item)
        }
        try await provider.upload()
        let ids = try await provider.errorArchive().map(\.id)
        try await provider.retryRequest(ids[0])
        #expect(log.record("request.retried")?["request"] == .integer(ids[0]))
        try await provider.discardError(ids[1])
        #expect(log.record("error.discarded")?["request"] == .integer(ids[1]))
        try await provider.upload()
        try await provider.discardAllErrors()
        #expect(log.record("error.discarded")?["requests"] == .integer(1))
        await #expect(throws: OfflineODataError.self) {
            try await provider.resolveConflict("Items(1)", with: .server)
        }
        #expect(log.record("conflict.resolved.failed")?["side"] == .text("server"))
        #expect(!log.text.contains("SECRET"))
        withExtendedLifetime(shop) {}
    }

    @Test func hearsOfFilesAndChecks() async throws {
        let (shop, provider, log) = try await logged()
        _ = try await create(10...11, in: provider)
        let files = Mutex<[OfflineODataDataFile]>([])
        try await provider.exportData { file in files.withLock { $0.append(file) } }
        let export = log.record("export")
        #expect(export?["sets"] == .integer(1))
        #expect(export?["entities"] == .integer(4))
        try await provider.exportStreams { _, _, _ in }
        #expect(log.record("export.streams")?["streams"] == .integer(0))
        let queue = Mutex<[UInt8]>([])
        try await provider.exportQueue { piece in queue.withLock { $0 += piece } }
        #expect(log.record("queue.export")?["requests"] == .integer(2))
        try await provider.undoAllPendingChanges()
        let changes = log.count("change")
        try await provider.importQueue(queue.withLock { $0 })
        #expect(log.record("queue.import")?["requests"] == .integer(2))
        #expect(log.count("change") == changes + 2)
        try await provider.importData([
            OfflineODataDataFile(
                entitySet: "Items",
                json: Array(#"[{"ID":50,"Name":"SECRET"}]"#.utf8)
            )
        ])
        #expect(log.record("import")?["entities"] == .integer(1))
        await #expect(throws: OfflineODataError.self) {
            try await provider.importData([
                OfflineODataDataFile(entitySet: "Items", json: Array("[SECRET]".utf8))
            ])
        }
        #expect(log.record("import.failed")?["code"] == .text("invalidPayload"))
        #expect(try await provider.checkIntegrity().isEmpty)
        #expect(log.record("check")?["differences"] == .integer(0))
        #expect(try await !provider.compareWithService().differences.isEmpty)
        #expect(log.record("compare")?["differences"] == .integer(1))
        #expect(!log.text.contains("SECRET"))
        withExtendedLifetime(shop) {}
    }

    @Test func hearsOfQueriesAndOfTheEnd() async throws {
        let (shop, provider, log) = try await logged()
        try provider.add(definingQuery: .init(name: "Cheap", query: "Items?$filter=Price lt 20"))
        #expect(log.record("query.added")?["query"] == .text("Cheap"))
        try await provider.removeDefiningQuery(named: "Cheap")
        #expect(log.record("query.removed")?["query"] == .text("Cheap"))
        try await provider.close()
        #expect(log.record("close")?.level == .debug)
        let (other, cleared, second) = try await logged()
        try await cleared.clear()
        #expect(second.record("clear")?.level == .info)
        withExtendedLifetime((shop, other)) {}
    }
}
