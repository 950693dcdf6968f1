import OfflineOData
import Testing

/// What an application does with one import: everything that the command line offers for a store.
@Suite struct InterfaceTests {
    @Test func looksAtAStore() async throws {
        let shop = try await ShopStore()
        let provider = shop.provider
        #expect(provider.isOpen)
        #expect(provider.serviceRoot == ScriptedService.root)
        let status = try await provider.status()
        #expect(status.queries.map(\.name) == ["Items"])
        #expect(status.entitySets.map(\.entityCount) == [2])
        #expect(status.odataVersion == ODataVersion.v4.rawValue)
        #expect(try await provider.checkIntegrity().isEmpty)
        #expect(try await provider.eventLog().map(\.type).contains("Open"))
        #expect(try await provider.metadata().navigationSource(named: "Items") != nil)
        #expect(try await !provider.metadataDocument().isEmpty)
        #expect(try await provider.definingQueries().map(\.query) == ["Items"])
        let response = await provider.respond(to: HTTPRequest(method: "GET", url: "Items(1)/Name"))
        #expect(response.isSuccess)
        let answer = try await provider.read("Items?$orderby=ID")
        #expect(answer.entities?.map { $0["ID"] } == [1, 2])
        #expect(answer.origin.place == .store)
        #expect(answer.origin.age().map { $0 < .seconds(3_600) } == true)
        #expect(try await provider.entity(in: "Items", key: 2)?["Price"]?.decimalValue == 99.9)
    }

    @Test func queuesSendsAndLooksAtWhatWasRefused() async throws {
        let shop = try await ShopStore()
        let provider = shop.provider
        let created = try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 3, "Name": "Desk"])
        )
        var lamp = try #require(try await provider.executeQuery("Items(1)").first)
        let identity = lamp.id
        lamp["Name"] = "bad"
        try await provider.updateEntity(lamp)
        var methods: [String] = []
        for try await request in provider.requests { methods.append(request.method) }
        #expect(methods == ["POST", "PATCH"])
        #expect(try await provider.requestQueue().map(\.status) == [.pending, .pending])
        let result = try await provider.upload()
        #expect(result.succeededCount == 1)
        #expect(result.failedCount == 1)
        #expect(try await provider.executeQuery("Items(3)").first?.id == created.id)
        let refused = try #require(try await provider.errorArchive().first)
        #expect(refused.failure?.code == "BadName")
        #expect(refused.failure?.httpStatus == 400)
        let conflict = try await provider.conflict(for: "Items(1)")
        #expect(conflict.base?["Name"] == "Lamp")
        #expect(conflict.local?["Name"] == "bad")
        #expect(conflict.changedProperties == ["Name"])
        try await provider.discardError(refused.id)
        let back = try #require(try await provider.executeQuery("Items(1)").first)
        #expect(back["Name"] == "Lamp")
        #expect(back.id == identity)
        #expect(try await provider.errorArchive().isEmpty)
    }

    @Test func followsTheQueue() async throws {
        let shop = try await ShopStore()
        var updates = shop.provider.requestQueueUpdates().makeAsyncIterator()
        #expect(try await updates.next()?.isEmpty == true)
        try await shop.provider.createEntity(EntityValue(entitySet: "Items", ["ID": 9]))
        #expect(try await updates.next()?.map(\.method) == ["POST"])
    }

    @Test func followsHowManyRequestsThereAre() async throws {
        let shop = try await ShopStore()
        var counts = shop.provider.requests.counts.makeAsyncIterator()
        var refused = shop.provider.refusedRequests.counts.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        #expect(try await refused.next() == 0)
        try await shop.provider.createEntity(EntityValue(entitySet: "Items", ["ID": 9]))
        #expect(try await counts.next() == 1)
        #expect(try await refused.next() == 0)
    }

    @Test func appliesSeveralChangesTogetherOrNone() async throws {
        let shop = try await ShopStore()
        var changes = OfflineODataChangeSet()
        changes.createEntity(["ID": 7, "Name": "Shelf"], in: "Items")
        changes.createEntity(["ID": 8], in: "Items")
        #expect(try await shop.provider.processBatch(changes).count == 2)
        let ids = Set(try await shop.provider.requestQueue().map(\.transactionID))
        #expect(ids.count == 1)
        changes = OfflineODataChangeSet()
        changes.createEntity(["ID": 11], in: "Items")
        changes.createEntity(["ID": 7], in: "Items")
        await #expect(throws: OfflineODataError.self) {
            try await shop.provider.processBatch(changes)
        }
        #expect(try await shop.provider.executeQuery("Items(11)").isEmpty)
    }

    @Test func relatesEntities() async throws {
        let shop = try await ShopStore()
        let provider = shop.provider
        let items = try await provider.executeQuery("Items?$orderby=ID")
        try await provider.updateLink(from: items[0], property: "Parent", to: items[1])
        #expect(try await provider.executeQuery("Items(1)/Parent").map { $0["ID"] } == [2])
    }

    @Test func tellsWhatIsWrongAndWhere() async throws {
        let shop = try await ShopStore()
        let error = await #expect(throws: OfflineODataError.self) {
            try await shop.provider.executeQuery("Items?$filter=Nam eq 1")
        }
        #expect(error?.code == .invalidURL)
        #expect(error?.place?.offset == 14)
        #expect(error?.category.description == "invalidInput")
        let duplicate = await #expect(throws: OfflineODataError.self) {
            try await shop.provider.createEntity(EntityValue(entitySet: "Items", ["ID": 1]))
        }
        #expect(duplicate?.code == .duplicateKey)
    }

    @Test func refusesEverythingAfterItWasClosed() async throws {
        let shop = try await ShopStore()
        try await shop.provider.close()
        #expect(!shop.provider.isOpen)
        let error = await #expect(throws: OfflineODataError.self) {
            try await shop.provider.executeQuery("Items")
        }
        #expect(error?.code == .closed)
    }

    @Test func clearsOnlyByForceWhatIsNotUploaded() async throws {
        let shop = try await ShopStore()
        try await shop.provider.createEntity(EntityValue(entitySet: "Items", ["ID": 5]))
        await #expect(throws: OfflineODataError.self) { try await shop.provider.clear() }
        try await shop.provider.clear(force: true)
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.directory.path)
        #expect(left.isEmpty)
    }

    @Test func removesAQueryWhileChangesWait() async throws {
        let shop = try await ShopStore()
        let provider = shop.provider
        var lamp = try #require(try await provider.executeQuery("Items(1)").first)
        lamp["Name"] = "Light"
        try await provider.updateEntity(lamp)
        try await provider.removeDefiningQuery(named: "Items")
        #expect(try await provider.executeQuery("Items").map { $0["Name"] } == ["Light"])
        let request = try #require(try await provider.requestQueue().first)
        try await provider.dropRequest(request.id)
        #expect(try await provider.executeQuery("Items").isEmpty)
    }

    @Test func aCancelledReadDoesNotBegin() async throws {
        let shop = try await ShopStore()
        let provider = shop.provider
        let read = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await provider.executeQuery("Items")
        }
        read.cancel()
        await #expect(throws: CancellationError.self) { try await read.value }
        #expect(try await provider.executeQuery("Items").count == 2)
    }
}
