import Foundation
import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import Synchronization
import Testing

/// What a read leaves in the store, and what it answers later.
@Suite struct StoredCollectionTests {
    private let cached = ResourcePolicy(fetchPolicy: .fromCache)

    @Test func tellsNeverFetchedFromFetchedAndEmpty() async throws {
        let bench = try await PolicyBench { _ in LiteralService.items([]) }
        #expect(try await bench.engine.read("Items", policy: cached).entities == nil)
        #expect(try await bench.engine.read("Items").entities?.isEmpty == true)
        #expect(try await bench.engine.read("Items", policy: cached).entities?.isEmpty == true)
        #expect(bench.engine.cacheHitCount == 1)
        #expect(bench.engine.cacheMissCount == 2)
    }

    @Test func keepsOrderAndMembersOfAQueryOffline() async throws {
        let bench = try await PolicyBench { _ in LiteralService.items([7, 2, 5]) }
        let url = "Items?$filter=ID gt 1&$orderby=Name desc"
        #expect(try await bench.engine.read(url).ids == [7, 2, 5])
        var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        item["Name"] = "no longer what the query asks for"
        try await bench.provider.updateEntity(item)
        bench.network.set(isReachable: false)
        let answer = try await bench.engine.read("/" + url)
        #expect(answer.ids == [7, 2, 5])
        #expect(answer.entities?[1]["Name"] == "no longer what the query asks for")
        // The local language stands beside it.
        #expect(try await bench.provider.executeQuery("Items?$filter=ID lt 6").count == 2)
    }

    @Test func keepsTheCopyAt304AndSendsTheValidatorAsItCame() async throws {
        let seen = Mutex<[String?]>([])
        let bench = try await PolicyBench { request in
            seen.guarded { $0.append(request.headers["If-None-Match"]) }
            if request.headers["If-None-Match"] == "\"v1\"" { return HTTPResponse(status: 304) }
            return LiteralService.items([4], ["ETag": "\"v1\""])
        }
        _ = try await bench.engine.read("Items")
        bench.clock.advance(10)
        let again = try await bench.engine.read("Items")
        #expect(again.ids == [4])
        #expect(again.origin.place == .service)
        #expect(seen.guarded { $0 } == [nil, "\"v1\""])
        let stored = try #require(try await bench.engine.storedResource("Items"))
        #expect(stored.fetched == bench.clock.now)
        #expect(stored.byteCount > 50)
    }

    /// 304 would leave the copy without the member that was deleted from it.
    @Test func asksForTheWholeOnceAMemberWasDeletedFromTheCopy() async throws {
        let seen = Mutex<[String?]>([])
        let bench = try await PolicyBench { request in
            seen.guarded { $0.append(request.headers["If-None-Match"]) }
            if request.headers["If-None-Match"] == "\"v1\"" { return HTTPResponse(status: 304) }
            return LiteralService.items([4, 5], ["ETag": "\"v1\""])
        }
        _ = try await bench.engine.read("Items")
        #expect(try await bench.engine.evict(entity: "Items(4)"))
        #expect(try await bench.engine.read("Items").ids == [4, 5])
        #expect(seen.guarded { $0 } == [nil, nil])
    }

    /// What a delta brings is a part of the copy: it takes the room of the whole.
    @Test func countsTheWholeCopyAfterADelta() async throws {
        let root = "http://service.localhost/odata/"
        let bench = try await PolicyBench { request in
            let isDelta = request.url.contains("deltatoken")
            let items = isDelta ? "" : #"{"ID":1,"Name":"one"},{"ID":2,"Name":"two"}"#
            return LiteralService.json(
                #"{"@odata.context":"\#(root)$metadata#Items\#(isDelta ? "/$delta" : "")","value":[\#(items)],"@odata.deltaLink":"\#(root)Items?$deltatoken=1"}"#
            )
        }
        _ = try await bench.engine.read("Items")
        let whole = try #require(try await bench.engine.storedResource("Items"))
        #expect(whole.hasDeltaLink)
        _ = try await bench.engine.read("Items")
        #expect(bench.service.asked.last?.contains("deltatoken") == true)
        let after = try await bench.engine.storedResource("Items")
        #expect(after?.byteCount == whole.byteCount)
        #expect(whole.byteCount > 150)
    }

    @Test func findsItemsOfAFetchedCollection() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read(
            "Items",
            policy: ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        )
        let item = try await bench.engine.read("Items(2)", policy: cached)
        #expect(item.entity?["Name"] == "Item 2")
        #expect(item.origin.date == bench.clock.now)
        bench.clock.advance(61)
        #expect(try await bench.engine.read("Items(2)", policy: cached).origin.isExpired)
        #expect(try await bench.engine.read("Items(3)", policy: cached).entities == nil)
        #expect(bench.service.asked == ["GET Items"])
    }

    @Test func takesDefiningQueriesAsCopiesThatNeverExpire() async throws {
        let bench = try await PolicyBench(queries: ["Items"])
        bench.network.set(isReachable: false)
        let all = try await bench.engine.read("Items?$top=1")
        let one = try await bench.engine.read("Items(2)")
        #expect(all.ids == [1])
        #expect(one.ids == [2])
        #expect(!all.origin.isExpired && !one.origin.isExpired)
        try await bench.engine.start()
        #expect(try await bench.engine.evictAll() == 0)
        #expect(try await bench.provider.executeQuery("Items").count == 2)
    }

    @Test func keepsChangesOnlyWhereTheServiceHasNoSuchEntityAnyMore() async throws {
        let isGone = Mutex(false)
        let bench = try await PolicyBench { request in
            guard request.url.contains("(") else { return LiteralService.items([1, 2]) }
            return isGone.guarded { $0 } ? nil : LiteralService.item(1, name: "one")
        }
        _ = try await bench.engine.read("Items(1)")
        isGone.guarded { $0 = true }
        #expect(try await bench.engine.read("Items(1)").entity == nil)
        #expect(try await bench.provider.executeQuery("Items").isEmpty)
    }

    @Test func takesAnErrorOfTheServiceAsAnAnswer() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        bench.service.set { _ in LiteralService.json("{}", status: 500) }
        await #expect(throws: OfflineODataError.self) { try await bench.engine.read("Items") }
        bench.service.set { _ in LiteralService.json("{}", status: 503) }
        await #expect(throws: OfflineODataError.self) { try await bench.engine.read("Items") }
    }

    @Test func doesNotDecideAboutReadsOfOthers() async throws {
        let bench = try await PolicyBench()
        #expect(try await bench.provider.executeQuery("Items").isEmpty)
        #expect(bench.service.asked.isEmpty)
    }

    @Test func decidesAboutEveryReadWhereAskedTo() async throws {
        var options = PolicyEngineOptions()
        options.appliesToAllReads = true
        let bench = try await PolicyBench(options)
        #expect(try await bench.provider.executeQuery("Items").count == 2)
        let response = await bench.provider.respond(to: HTTPRequest(method: "GET", url: "Items"))
        #expect(response.status == 200)
        #expect(bench.service.asked.count == 2)
        // Of what is never kept by itself the service is asked, too; offline the copy answers.
        bench.network.set(isReachable: false)
        let count = await bench.provider.respond(
            to: HTTPRequest(method: "GET", url: "Items/$count")
        )
        #expect(String(decoding: count.body, as: UTF8.self) == "2")
        #expect(bench.service.asked.count == 2)
    }

    @Test func answersRequestsInODataForm() async throws {
        let bench = try await PolicyBench { _ in LiteralService.items([9, 3]) }
        let request = HTTPRequest(method: "GET", url: "~/Items?$orderby=Name")
        let (fresh, origin) = await bench.engine.respond(to: request)
        #expect(fresh.status == 200)
        #expect(origin.origin.place == .service)
        bench.network.set(isReachable: false)
        let (kept, _) = await bench.engine.respond(to: request)
        let value = ODataValue(json: String(decoding: kept.body, as: UTF8.self))?["value"]?.items
        #expect(value?.compactMap { $0["ID"]?.integerValue } == [9, 3])
        let (none, _) = await bench.engine.respond(to: HTTPRequest(method: "GET", url: "Items"))
        #expect(none.status == 404)
    }

    /// 404 to a read by key: the entity leaves the collections that brought it, too.
    @Test func takesWhatTheServiceHasNoMoreOutOfEveryCollection() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        bench.service.set { _ in HTTPResponse(status: 404) }
        let answer = try await bench.engine.read("Items(2)")
        #expect(answer.entities == nil)
        #expect(answer.origin.place == .nowhere)
        #expect(try await bench.provider.executeQuery("Items").map { $0["ID"] } == [1])
    }

    /// Such a URL says nothing of the entity itself: another one leads there no more, the service knows no `$entity`.
    @Test(arguments: ["Items(1)/Parent", "$entity?$id=Items(2)", "Items(2)?$expand=Parent"])
    func keepsAnEntityThatAnotherWayDoesNotLeadTo(_ url: String) async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        bench.service.set { _ in HTTPResponse(status: 404) }
        _ = try? await bench.engine.read(url)
        #expect(try await bench.provider.executeQuery("Items").map { $0["ID"] } == [1, 2])
    }

    @Test func anEntityIsAsNewAsTheNewestAnswerThatBroughtIt() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), VersionedItems().answer)
        let policy = ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        _ = try await bench.engine.read("Items(1)", policy: policy)
        bench.clock.advance(50)
        _ = try await bench.engine.read("Items", policy: policy)
        let fetched = bench.clock.now
        bench.clock.advance(20)
        let kept = ResourcePolicy(fetchPolicy: .fromCache)
        let answer = try await bench.engine.read("Items(1)", policy: kept)
        #expect(answer.origin.date == fetched)
        #expect(!answer.origin.isExpired)
        bench.clock.advance(41)
        #expect(try await bench.engine.read("Items(1)", policy: kept).origin.isExpired)
    }
}
