import OfflineOData
import Synchronization
import Testing

/// What the command line does beside synchronising, from Swift: files, queue, comparison, service, log.
@Suite struct CapabilityTests {
    /// Collects what the engine logs.
    private final class Collector: OfflineODataLogger {
        let level = OfflineODataLogLevel.trace
        private let records = Mutex<[OfflineODataLogRecord]>([])

        func log(_ record: OfflineODataLogRecord) { records.withLock { $0.append(record) } }

        var all: [OfflineODataLogRecord] { records.withLock { $0 } }
    }

    @Test func exportsAndImportsTheDataOfAStore() async throws {
        let shop = try await ShopStore()
        let files = Mutex<[OfflineODataDataFile]>([])
        let count = try await shop.provider.exportData { file in
            files.withLock { $0.append(file) }
        }
        #expect(count == 1)

        let path = shop.directory.appending(path: "copy.sqlite").path
        let copy = try OfflineODataProvider(storeFile: path, isCreating: true)
        let imported = try await copy.importData(
            files.withLock { $0 },
            metadata: try await shop.provider.metadataDocument()
        )
        #expect(imported == 2)
        #expect(try await copy.executeQuery("Items(2)").first?["Price"]?.decimalValue == 99.9)
        #expect(try await copy.requestQueueIsEmpty())
        #expect(copy.serviceRoot == nil)

        let wrong = await #expect(throws: OfflineODataError.self) {
            try await copy.importData([
                OfflineODataDataFile(entitySet: "Items", json: Array("[{\"ID\":}]".utf8))
            ])
        }
        #expect(wrong?.code == .invalidPayload)
        #expect(wrong?.place?.path == "Items")
        #expect(wrong?.place?.line == 1)
        try await copy.close()
        try await OfflineODataProvider.removeStore(at: path)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// What has no key yet would make the file one that no store can take.
    @Test func exportsNothingThatHasNoKey() async throws {
        let shop = try await ShopStore()
        try await shop.provider.createEntity(EntityValue(entitySet: "Items", ["Name": "Desk"]))
        let files = Mutex<[OfflineODataDataFile]>([])
        try await shop.provider.exportData { file in files.withLock { $0.append(file) } }
        let path = shop.directory.appending(path: "copy.sqlite").path
        let copy = try OfflineODataProvider(storeFile: path, isCreating: true)
        let imported = try await copy.importData(
            files.withLock { $0 },
            metadata: try await shop.provider.metadataDocument()
        )
        #expect(imported == 2)
        #expect(try await copy.executeQuery("Items").count == 2)
    }

    private struct ItemPage: Decodable {
        struct Item: Decodable { var ID: Int }
        var value: [Item]
    }

    @Test func exportsASetInPagesOfBoundedSize() async throws {
        let shop = try await ShopStore()
        for id in 3...250 {
            try await shop.provider.createEntity(
                EntityValue(entitySet: "Items", ["ID": .integer(Int64(id)), "Name": "Item"])
            )
        }
        let pieces = Mutex<[OfflineODataDataPiece]>([])
        let count = try await shop.provider.exportData(inPagesOf: 100) { piece in
            pieces.withLock { $0.append(piece) }
        }
        #expect(count == 1)
        let written = pieces.withLock { $0 }
        let entities = written.map { String(decoding: $0.json, as: UTF8.self) }
            .map { $0.components(separatedBy: "\"ID\":").count - 1 }
        #expect(entities == [100, 100, 50])
        #expect(written.map(\.isFirst) == [true, false, false])
        #expect(written.map(\.isLast) == [false, false, true])
        let whole = Mutex<[UInt8]>([])
        try await shop.provider.exportData { file in
            whole.withLock { $0 = file.json }
        }
        #expect(written.flatMap(\.json).count == whole.withLock { $0.count })
        let page = try JSONDecoder().decode(ItemPage.self, from: Data(written.flatMap(\.json)))
        #expect(Set(page.value.map(\.ID)) == Set(1...250))
    }

    @Test func makesAProviderWithoutBlocking() async throws {
        let shop = try await ShopStore()
        let path = shop.directory.appending(path: "localstore.sqlite").path
        let provider = try await OfflineODataProvider.make(storeFile: path)
        try await provider.addDefiningQuery(
            OfflineODataDefiningQuery(name: "Cheap", query: "Items?$filter=Price lt 20")
        )
        #expect(try await shop.provider.definingQueries().map(\.name) == ["Items", "Cheap"])
        let error = await #expect(throws: OfflineODataError.self) {
            try await OfflineODataProvider.make(storeFile: path + "-none")
        }
        #expect(error?.code == .noStore)
    }

    @Test func repeatsAQueueInAnotherStore() async throws {
        let (first, second) = (try await ShopStore(), try await ShopStore())
        let options = OfflineODataRequestOptions()
        options.customTag = "mine"
        let desk = try await first.provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 3, "Name": "Desk"]),
            options: options
        )
        try await first.provider.deleteEntity(
            try #require(try await first.provider.executeQuery("Items(2)").first)
        )
        let requests = try await first.provider.requestQueue()
        let links = try await first.provider.affectedEntities(of: requests)
        let created = try #require(desk.readLink)
        #expect(links == [requests[0].id: created, requests[1].id: "Items(2)"])

        let json = Mutex<[UInt8]>([])
        let written = try await first.provider.exportQueue { piece in
            json.withLock { $0 += piece }
        }
        #expect(written == 2)
        #expect(try await second.provider.importQueue(json.withLock { $0 }) == 2)
        let repeated = try await second.provider.requestQueue()
        #expect(repeated.map(\.method) == ["POST", "DELETE"])
        #expect(repeated.first?.customTag == "mine")
        #expect(
            try await second.provider.executeQuery("Items?$orderby=ID").map { $0["ID"] } == [1, 3]
        )

        let wrong = await #expect(throws: OfflineODataError.self) {
            try await second.provider.importQueue(Array("[\n{\"RequestURL\":\"Items\"}]".utf8))
        }
        #expect(wrong?.place?.line == 2)

        for member in [
            #""RequestMethod":"GET""#, #""RequestMethod":"PUT","Stream":"%""#,
        ] {
            let json = "[\n{\(member),\"RequestURL\":\"Items(1)/$value\"}]"
            let wrong = await #expect(throws: OfflineODataError.self) {
                try await second.provider.importQueue(Array(json.utf8))
            }
            #expect(wrong?.place?.line == 2)
        }

        // The second one deletes what is not there.
        let half = """
            [{"RequestMethod":"POST","RequestURL":"Items","RequestBody":"{\\"ID\\":7}","TransactionID":"t"},
            {"RequestMethod":"DELETE","RequestURL":"Items(99)","TransactionID":"t"}]
            """
        await #expect(throws: OfflineODataError.self) {
            try await second.provider.importQueue(Array(half.utf8))
        }
        #expect(try await second.provider.requestQueue().map(\.id) == repeated.map(\.id))
    }

    @Test func comparesWithTheService() async throws {
        let shop = try await ShopStore()
        #expect(try await shop.provider.compareWithService().differences.isEmpty)
        shop.service.answer { request in
            guard request.url.hasSuffix("Items") else { return nil }
            return ScriptedService.json(
                #"{"@odata.context":"$metadata#Items","value":[{"ID":1,"Name":"Lantern","Price":12.50}]}"#
            )
        }
        let comparison = try await shop.provider.compareWithService()
        #expect(comparison.comparedCount == 2)
        #expect(
            comparison.differences.map { "\($0.kind.rawValue) \($0.url ?? "") \($0.properties)" }
                == [#"different Items(1) ["Name"]"#, "extra Items(2) []"]
        )
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.directory.path)
        #expect(!left.contains { $0.contains("-check-") })
    }

    @Test func answersAsAService() async throws {
        let shop = try await ShopStore()
        var options = ServiceOptions()
        options.pageSize = 1
        options.serviceRoot = "http://localhost:1/"
        let handler = shop.provider.handler(options: options)
        let page = await handler.respond(to: HTTPRequest(method: "GET", url: "/Items"))
        #expect(page.status == 200)
        #expect(String(decoding: page.body, as: UTF8.self).contains("http://localhost:1/Items?"))
        let created = await handler.respond(
            to: HTTPRequest(
                method: "POST",
                url: "/Items",
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"ID":12}"#.utf8)
            )
        )
        #expect(created.status == 201)
        #expect(try await shop.provider.requestQueue().map(\.url) == ["Items"])
    }

    @Test func describesTheSetsOfAStore() async throws {
        let shop = try await ShopStore()
        let sets = try await shop.provider.setDescriptions()
        #expect(sets.map(\.name) == ["Items", "RequestQueue", "ErrorArchive", "EventLog"])
        #expect(sets.map(\.isBuiltIn) == [false, true, true, true])
        #expect(sets[0].key == ["ID"])
        #expect(sets[0].entityCount == 2)
        let name = try #require(sets[0].properties.first { $0.name == "Name" })
        #expect(name.type == "Edm.String")
        #expect(name.isNullable)
    }

    @Test func listsTheStatementsOfASchema() async throws {
        let shop = try await ShopStore()
        let document = try await shop.provider.metadataDocument()
        let statements = try OfflineODataProvider.schemaStatements(of: document)
        #expect(statements.contains { $0.hasPrefix("CREATE TABLE \"Items\"") })
        #expect(throws: OfflineODataError.self) {
            try OfflineODataProvider.schemaStatements(of: Array("no metadata".utf8))
        }
    }

    @Test func editsTheQueue() async throws {
        let shop = try await ShopStore()
        let provider = shop.provider
        for id in 5...7 {
            try await provider.createEntity(
                EntityValue(entitySet: "Items", ["ID": .integer(Int64(id))])
            )
        }
        let ids = try await provider.requestQueue().map(\.id)
        try await provider.moveRequest(ids[2], before: ids[0])
        try await provider.editRequest(ids[1], body: #"{"ID":6,"Name":"Six"}"#)
        #expect(try await provider.dropRequest(ids[0]) == [ids[0]])
        #expect(try await provider.requestQueue().map(\.id) == [ids[2], ids[1]])
        #expect(try await provider.executeQuery("Items(6)").first?["Name"] == "Six")
        #expect(try await provider.undoPendingChanges("Items(6)") == 1)
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.retryRequest(99)
        }
        #expect(error?.place?.requestID == 99)
    }

    @Test func logsToTheApplicationsLogger() async throws {
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
        var lamp = try #require(try await provider.executeQuery("Items(1)").first)
        lamp["Name"] = "bad"
        try await provider.updateEntity(lamp)
        try await provider.upload()

        let refused = try #require(collector.all.first { $0.event == "request.refused" })
        #expect(refused.level == .warning)
        #expect(refused["status"] == .integer(400))
        // A service may write anything into its code.
        #expect(refused["code"] == nil)
        let request = collector.all.first {
            $0.event == "request" && $0["method"] == .text("PATCH")
        }
        #expect(request?["url"] == .text("Items(…)"))
        #expect(collector.all.contains { $0.event == "upload.end" && $0.level >= .info })
    }

    @Test(arguments: [
        ("Orders(17)/Items?$filter=Name eq 'x'&sap-client=1", "Orders(…)/…?$filter&…"),
        ("Orders/17/$value", "Orders/…/$value"), ("$batch", "$batch"), ("", ""),
        ("Orders(Name='a/b')", "Orders(…)/…"), ("Total(Year=2024)", "Total(…)"),
        ("People%28'x'%29?$filter=A eq '1&B'", "People(…)?$filter&…"),
    ])
    func shortensURLs(_ url: String, _ expected: String) {
        #expect(OfflineODataLogRecord.Value.url(url) == .text(expected))
    }
}
