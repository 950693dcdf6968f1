import OfflineOData
import OfflineResources
import Testing

/// Strategies by entity set and by request, for the session or for good.
@Suite struct OfflineHandlerTests {
    private func open(_ items: VersionedItems = VersionedItems()) async throws
        -> (PolicyBench, OfflineHandler)
    {
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        return (bench, OfflineHandler(engine: bench.engine))
    }

    private func answers(_ handler: OfflineHandler, _ url: String, _ strategy: UsageStrategy?)
        async throws -> [ResourceAnswer]
    {
        var found: [ResourceAnswer] = []
        for try await answer in handler.read(url, usage: strategy.map { .init(strategy: $0) }) {
            found.append(answer)
        }
        return found
    }

    @Test func answersTwiceWithCacheThenNetwork() async throws {
        let items = VersionedItems()
        let (bench, handler) = try await open(items)
        let first = try await answers(handler, "Items", .cacheThenNetwork)
        #expect(first.map(\.ids) == [nil, [1, 2]])
        items.create(3, VersionedItems.Item(name: "three"))
        let second = try await answers(handler, "Items", .cacheThenNetwork)
        #expect(second.map(\.ids) == [[1, 2], [1, 2, 3]])
        #expect(second.map { $0.origin.place } == [.store, .service])
        bench.network.set(isReachable: false)
        #expect(try await answers(handler, "Items", .cacheThenNetwork).map(\.ids) == [[1, 2, 3]])
        #expect(try await handler.load("Items").count == 3)
    }

    @Test func putsTheRequestBeforeTheSet() async throws {
        let (bench, handler) = try await open()
        handler.setOfflineUsage(.init(strategy: .networkOnly), for: "Items")
        _ = try await answers(handler, "Items", nil)
        #expect(try await bench.engine.storedResources().isEmpty)
        _ = try await answers(handler, "Items", .cacheElseNetwork)
        _ = try await answers(handler, "Items", .cacheElseNetwork)
        #expect(bench.service.asked.count == 2)
        bench.network.set(isReachable: false)
        await #expect(throws: OfflineODataError.self) {
            try await handler.save(EntityValue(entitySet: "Items", ["ID": 9]))
        }
    }

    @Test func holdsCopiesForTheSessionUnlessPersistent() async throws {
        let (bench, handler) = try await open()
        _ = try await handler.load("Items?$top=1", usage: .init(usesPersistentStorage: true))
        bench.service.set { _ in LiteralService.items([7]) }
        _ = try await handler.load("Items?$skip=5")
        let all = try await bench.provider.executeQuery("Items").count
        #expect(all == 3)
        let persistent = try await handler.entitiesFromPersistentStorage("Items?$orderby=ID desc")
        #expect(persistent.map { $0["ID"]?.integerValue } == [2, 1])
        let restarted = try await PolicyBench(after: bench)
        try await restarted.engine.start()
        #expect(try await restarted.provider.executeQuery("Items").count == 2)
    }

    @Test func readsBackWhatItHasSaved() async throws {
        let items = VersionedItems()
        let (bench, handler) = try await open(items)
        let change = try await handler.save(
            EntityValue(entitySet: "Items", ["ID": 9, "Name": "n"])
        )
        #expect(change.state == .sent)
        #expect(bench.service.asked.last == "GET Items(9)")
        var item = try #require(try await handler.load("Items(9)").first)
        item["Name"] = "again"
        try await handler.save(item, loadsAfterSave: false)
        #expect(items.items[9]?.name == "again")
        #expect(bench.service.asked.last == "PATCH Items(9)")
    }

    @Test func refusesLargeFilesOffline() async throws {
        let (bench, handler) = try await open()
        #expect(handler.fileLimit == 15_728_640)
        handler.fileLimit = 3
        bench.network.set(isReachable: false)
        let error = await #expect(throws: OfflineODataError.self) {
            try await handler.saveFile([1, 2, 3, 4], contentType: "image/png", in: "Items")
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func deletesFromStorageNotFromTheService() async throws {
        let items = VersionedItems()
        let (bench, handler) = try await open(items)
        _ = try await handler.load("Items")
        _ = try await handler.load("Items?$top=9")
        #expect(try await handler.deleteAllFromStorage("Items") == 0)
        #expect(try await handler.deleteFromStorage("Items(1)"))
        #expect(try await handler.removeAllFromStorage("Items") == 1)
        #expect(try await bench.provider.executeQuery("Items").isEmpty)
        #expect(items.items.count == 2)
    }
}
