import Foundation
import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import Testing

/// Working offline by choice, what waits meanwhile, and coming back.
@Suite struct OfflineWorkTests {
    private func bench(_ items: VersionedItems, _ options: PolicyEngineOptions = .init())
        async throws -> PolicyBench
    {
        try await PolicyBench(queries: ["Items"], options, items.answer)
    }

    private func change(_ id: Int, _ bench: PolicyBench) async throws {
        var item = try #require(try await bench.provider.executeQuery("Items(\(id))").first)
        item["Name"] = .string("mine \(id)")
        try await bench.engine.update(item)
    }

    @Test func worksOfflineByChoiceAndSynchronizesAtTheEnd() async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        try await bench.engine.setOfflineMode(true)
        #expect(bench.engine.networkStatus == .offlineByChoice)
        try await change(2, bench)
        #expect(items.items[2]?.name == "two")
        bench.network.set(isReachable: false)
        #expect(bench.engine.networkStatus == .offline)
        try await bench.engine.setOfflineMode(false)
        #expect(bench.engine.networkStatus == .offline)
        #expect(items.items[2]?.name == "two")
        bench.network.set(isReachable: true)
        try await bench.engine.setOfflineMode(false)
        #expect(bench.engine.networkStatus == .online)
        #expect(items.items[2]?.name == "mine 2")
    }

    @Test(arguments: [true, false])
    func synchronizesWhenTheNetworkComesBackIfTurnedOn(_ isOn: Bool) async throws {
        var options = PolicyEngineOptions()
        options.synchronizesWhenOnline = isOn
        let items = VersionedItems()
        let bench = try await bench(items, options)
        bench.network.set(isReachable: false)
        try await bench.engine.start()
        try await change(2, bench)
        let events = bench.engine.resourceEvents()
        bench.network.set(isReachable: true)
        if isOn {
            for await event in events where event.kind == .synchronized {
                #expect(event.url == "Items(2)")
                break
            }
        }
        await bench.engine.stop()
        #expect((items.items[2]?.name == "mine 2") == isOn)
    }

    @Test func listsAndDiscardsEdits() async throws {
        let bench = try await bench(VersionedItems())
        bench.network.set(isReachable: false)
        try await change(1, bench)
        try await change(2, bench)
        let edits = try await bench.engine.offlineEdits()
        #expect(edits.map(\.url) == ["Items(1)", "Items(2)"])
        #expect(edits.allSatisfy { !$0.hasConflict && !$0.hasCommitError })
        try await bench.engine.discardOfflineEdits(of: "Items(1)")
        #expect(try await bench.provider.executeQuery("Items(1)").first?["Name"] == "one")
        #expect(try await bench.engine.offlineEdits().map(\.url) == ["Items(2)"])
        try await bench.engine.discardOfflineEdits()
        #expect(try await bench.engine.offlineEdits().isEmpty)
        #expect(try await bench.provider.executeQuery("Items(2)").first?["Name"] == "two")
    }

    @Test func keepsLocalValuesOfWhatIsMarkedAsSynchronized() async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        bench.network.set(isReachable: false)
        try await change(2, bench)
        try await bench.engine.markAsSynchronized("Items(2)")
        #expect(try await bench.provider.requestQueueIsEmpty())
        let kept = try await bench.provider.executeQuery("Items(2)").first
        #expect(kept?["Name"] == "mine 2")
        #expect(kept?.hasPendingChanges == false)
        #expect(items.items[2]?.name == "two")
    }

    @Test(arguments: [true, false])
    func readsAgainWhatWasDiscardedWhereAskedTo(_ reloads: Bool) async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        bench.network.set(isReachable: false)
        try await change(2, bench)
        items.change(2) { $0.name = "theirs" }
        bench.network.set(isReachable: true)
        try await bench.engine.discardOfflineEdits(of: "Items(2)", reloads: reloads)
        let kept = try await bench.provider.executeQuery("Items(2)").first
        #expect(kept?["Name"] == (reloads ? "theirs" : "two"))
        #expect(try await bench.engine.offlineEdits().isEmpty)
    }

    @Test func sendsPinnedResourcesFirstThenByKind() async throws {
        var options = PolicyEngineOptions()
        options.ordersChangesByKind = true
        let items = VersionedItems([1: "one", 2: "two", 3: "three", 4: "four"])
        let bench = try await bench(items, options)
        bench.network.set(isReachable: false)
        let third = try #require(try await bench.provider.executeQuery("Items(3)").first)
        try await bench.engine.delete(third)
        try await change(1, bench)
        try await change(2, bench)
        try await change(4, bench)
        try await bench.engine.create(EntityValue(entitySet: "Items", ["ID": 9, "Name": "nine"]))
        try await bench.engine.pin("Items(2)", priority: .high)
        try await bench.engine.pin("Items(1)", priority: .low)
        bench.network.set(isReachable: true)
        try await bench.engine.synchronize()
        let sent = bench.service.asked.filter { !$0.hasPrefix("GET") && !$0.contains("$batch") }
        #expect(
            sent == [
                "PATCH Items(2)", "POST Items", "PATCH Items(4)", "DELETE Items(3)",
                "PATCH Items(1)",
            ]
        )
    }

    @Test func tellsEveryObserverOfChangedCopies() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read("Items")
        var first = bench.engine.resourceEvents().makeAsyncIterator()
        var second = bench.engine.resourceEvents().makeAsyncIterator()
        items.change(1) { $0.name = "theirs" }
        items.delete(2)
        items.create(5, VersionedItems.Item(name: "new"))
        _ = try await bench.engine.read("Items")
        let events = [await first.next(), await first.next()]
        #expect(events.map { $0?.url } == ["Items(1)", "Items(2)"])
        #expect(events[0]?.entity?["Name"] == "theirs")
        #expect(events[1]?.entity == nil)
        #expect(await second.next()?.url == "Items(1)")
    }

    @Test func reportsWhatADownloadHasChanged() async throws {
        let items = VersionedItems([1: "one", 2: "two", 3: "three"])
        let bench = try await bench(items)
        var events = bench.engine.resourceEvents().makeAsyncIterator()
        items.change(1) { $0.name = "theirs" }
        items.change(3) { _ in }
        items.delete(2)
        items.create(5, VersionedItems.Item(name: "new"))
        try await bench.provider.download()
        let changed = try #require(await events.next())
        #expect(changed.url == "Items(1)")
        #expect(changed.kind == .changed)
        #expect(changed.entity?["Name"] == "theirs")
        let removed = try #require(await events.next())
        #expect(removed.url == "Items(2)")
        #expect(removed.entity == nil)
        // The next event is of the next download: nothing else was reported.
        items.change(5) { $0.note = "later" }
        try await bench.provider.download()
        #expect(await events.next()?.url == "Items(5)")
    }

    @Test func reportsWhatBecameOfEachResource() async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        bench.network.set(isReachable: false)
        try await change(1, bench)
        try await change(2, bench)
        items.change(2) { $0.name = "theirs" }
        bench.network.set(isReachable: true)
        let report = try await bench.engine.synchronize()
        #expect(report.resources.map(\.url) == ["Items(1)", "Items(2)"])
        #expect(report.resources.map(\.action) == [.updatedOnServer, .failed])
        #expect(report.resources.last?.failure?.httpStatus == 412)
        let edit = try #require(try await bench.engine.offlineEdits().first)
        #expect(edit.hasConflict && edit.hasCommitError)
    }

    @Test func purgesWhatIsMarkedAsSynchronizedWhereAskedTo() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read("Items")
        bench.network.set(isReachable: false)
        try await change(2, bench)
        try await bench.engine.markAsSynchronized("Items(2)", purges: true)
        #expect(try await bench.provider.requestQueueIsEmpty())
        #expect(try await bench.provider.executeQuery("Items").map { $0["ID"] } == [1])
        #expect(items.items[2]?.name == "two")
    }

    @Test func sendsChangesOfAPinnedSetFirst() async throws {
        let bench = try await PolicyBench { request in
            LiteralService.json(
                "{}",
                ["Location": "http://service.localhost\(request.url)(3)"],
                status: request.url.hasSuffix("$batch") ? 501 : 201
            )
        }
        bench.network.set(isReachable: false)
        for set in ["Items", "Cards"] {
            try await bench.engine.create(EntityValue(entitySet: set, ["ID": 3]))
        }
        try await bench.engine.pin("Cards", priority: .high)
        bench.network.set(isReachable: true)
        try await bench.engine.synchronize()
        let sent = bench.service.asked.filter { !$0.hasSuffix("$batch") && $0.hasPrefix("POST") }
        #expect(sent == ["POST Cards", "POST Items"])
    }

    @Test func countsWhatIsLeftOnceConflictsAreDecided() async throws {
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(.serverModifiedWins)
        let answer = items.answer
        let bench = try await PolicyBench(options) { request in
            if request.url.hasSuffix("$batch") { return HTTPResponse(status: 501) }
            return request.method == "POST" ? HTTPResponse(status: 400) : try await answer(request)
        }
        _ = try await bench.engine.read("Items")
        bench.network.set(isReachable: false)
        var made = try #require(
            try await bench.engine.create(EntityValue(entitySet: "Items", ["ID": 9])).entity
        )
        made["Name"] = "behind a refused one"
        try await bench.engine.update(made)
        for id in [1, 2] {
            var item = try #require(try await bench.provider.executeQuery("Items(\(id))").first)
            item["Name"] = "mine"
            try await bench.engine.update(item)
        }
        items.change(2) { $0.name = "theirs" }
        bench.network.set(isReachable: true)
        let report = try await bench.engine.synchronize()
        #expect(report.upload.failedCount == 2)
        #expect(report.outcome.failedCount == 1)
        #expect(report.takenBackCount == 1)
        #expect(report.outcome.succeededCount == 1)
        #expect(report.outcome.parkedCount == 1)
        #expect(report.outcome.waitingCount == 0)
        #expect(report.outcome.refusedRequestIDs.count == 1)
    }
}
