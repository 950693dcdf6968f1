import Foundation
import ODataValues
import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import Synchronization
import Testing

/// An answer of the service is shown as the service gave it: all pages, in its order, with its count, and what is inside.
@Suite struct WholeAnswerTests {
    private static let root = "http://service.localhost/odata/"

    private static func page(
        _ ids: [Int],
        _ members: String = "",
        _ headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        let items = ids.map { #"{"ID":\#($0),"Name":"Item \#($0)"}"# }.joined(separator: ",")
        return LiteralService.json(
            #"{"@odata.context":"\#(root)$metadata#Items"\#(members),"value":[\#(items)]}"#,
            headers
        )
    }

    /// A proxy forbids one page of several: the answer is all of them, and none is kept.
    @Test(arguments: [[1], [2], [1, 2]])
    func joinsPagesThatMustNotBeKept(_ forbidden: [Int]) async throws {
        let bench = try await PolicyBench { request in
            let number = request.url.hasSuffix("skiptoken=2") ? 2 : 1
            let next = #","@odata.nextLink":"Items?$skiptoken=2""#
            return Self.page(
                number == 1 ? [1, 2] : [3],
                number == 1 ? next : "",
                forbidden.contains(number) ? ["Oracle-Mobile-Sync-No-Store": "true"] : [:]
            )
        }
        let answer = try await bench.engine.read("Items")
        #expect(answer.ids == [1, 2, 3])
        #expect(answer.origin.place == .service)
        #expect(try await bench.engine.storedResources().isEmpty)
        #expect(try await bench.provider.executeQuery("Items").isEmpty)
        let (response, _) = await bench.engine.respond(
            to: HTTPRequest(method: "GET", url: "Items")
        )
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(!text.contains("nextLink"))
        #expect(text.contains(#""ID":3"#))
    }

    /// A list of changes says nothing of places.
    @Test(arguments: ["Items?$orderby=Name", "Items?$top=2", "Items?$skip=1"])
    func asksForNoChangesWherePlacesCount(_ url: String) async throws {
        let asked = Mutex<[String?]>([])
        let bench = try await PolicyBench { request in
            asked.guarded { $0.append(request.headers["Prefer"]) }
            guard !request.url.contains("deltatoken") else { return nil }
            return Self.page([2, 1], #","@odata.deltaLink":"Items?$deltatoken=1""#)
        }
        #expect(try await bench.engine.read(url).ids == [2, 1])
        bench.service.set { _ in Self.page([3, 2, 1], #","@odata.deltaLink":"x""#) }
        #expect(try await bench.engine.read(url).ids == [3, 2, 1])
        #expect(bench.service.asked == ["GET \(url)", "GET \(url)"])
        #expect(asked.guarded { $0 } == [nil])
    }

    /// The ETag of an entity says nothing of those inside of it.
    @Test func asksAnewForAnEntityWithOthersInside() async throws {
        let seen = Mutex<[String?]>([])
        let bench = try await PolicyBench { request in
            seen.guarded { $0.append(request.headers["If-None-Match"]) }
            let name = "v\(seen.guarded { $0.count })"
            return LiteralService.json(
                #"{"@odata.etag":"\"1\"","ID":1,"Name":"a","Parent":{"ID":2,"Name":"\#(name)"}}"#,
                ["ETag": "\"1\""]
            )
        }
        for number in 1...2 {
            let answer = try await bench.engine.read("Items(1)?$expand=Parent")
            #expect(answer.entities?.first?["Parent"]?["Name"] == .string("v\(number)"))
        }
        #expect(seen.guarded { $0 } == [nil, nil])
    }

    @Test func tellsTheServicesCountOfMoreThanItAnswers() async throws {
        let bench = try await PolicyBench { _ in Self.page([1, 2], #","@odata.count":7"#) }
        let url = "Items?$count=true&$top=2"
        for isOnline in [true, false] {
            bench.network.set(isReachable: isOnline)
            let (response, _) = await bench.engine.respond(to: HTTPRequest(method: "GET", url: url))
            #expect(String(decoding: response.body, as: UTF8.self).contains(#""@odata.count":7"#))
        }
        #expect(bench.service.asked.count == 1)
    }

    /// A count or a property is never kept by itself: the service is asked as the policy says, and a copy of the whole answers.
    @Test(arguments: ["Items/$count", "Items(1)/Name", "Items(1)/Name/$value"])
    func asksTheServiceForParts(_ url: String) async throws {
        let bench = try await PolicyBench { request in
            request.url.hasSuffix("Items")
                ? Self.page([1, 2]) : HTTPResponse(status: 200, body: Array("said".utf8))
        }
        func text(_ policy: FetchPolicy) async -> String? {
            let (response, _) = await bench.engine.respond(
                to: HTTPRequest(method: "GET", url: url),
                policy: ResourcePolicy(fetchPolicy: policy)
            )
            return response.status == 200 ? String(decoding: response.body, as: UTF8.self) : nil
        }
        #expect(await text(.fromCache) == nil)
        #expect(await text(.fromService) == "said")
        #expect(await text(.fromServiceOnCacheMiss) == "said")
        #expect(bench.service.asked == ["GET \(url)", "GET \(url)"])
        bench.network.set(isReachable: false)
        #expect(await text(.fromServiceIfOnline) == nil)
        bench.network.set(isReachable: true)
        _ = try await bench.engine.read("Items")
        bench.network.set(isReachable: false)
        #expect(await text(.fromServiceIfOnline)?.isEmpty == false)
        #expect(await text(.fromService) == nil)
    }

    @Test func dropsTheCopyWhereNothingHasChangedAndNothingMayBeKept() async throws {
        let bench = try await PolicyBench { _ in LiteralService.items([4], ["ETag": "\"v1\""]) }
        _ = try await bench.engine.read("Items")
        bench.service.set { request in
            let headers: HTTPHeaders = ["Oracle-Mobile-Sync-No-Store": "true"]
            return request.headers["If-None-Match"] == nil
                ? LiteralService.items([4], headers) : HTTPResponse(status: 304, headers: headers)
        }
        #expect(try await bench.engine.read("Items").ids == [4])
        #expect(try await bench.provider.executeQuery("Items").isEmpty)
    }

    /// A newer version that does not fit makes the older one stale.
    @Test func doesNotShowAnOldCopyAsCurrentWhereTheNewOneHasNoRoom() async throws {
        var configuration = BackendConfiguration()
        configuration.maxStoreSize = 1
        var options = PolicyEngineOptions()
        options.configuration = configuration
        let bench = try await PolicyBench(options) { _ in LiteralService.items([4]) }
        _ = try await bench.engine.read("Items", policy: .init(expirationPolicy: .never))
        let large = String(repeating: "x", count: 2_000_000)
        bench.service.set { _ in LiteralService.json(#"{"value":[{"ID":5,"Name":"\#(large)"}]}"#) }
        #expect(try await bench.engine.read("Items").ids == [5])
        #expect(try await bench.engine.storedResource("Items")?.isExpired == true)
        let policy = ResourcePolicy(fetchPolicy: .fromServiceOnCacheMissOrExpiry)
        #expect(try await bench.engine.read("Items", policy: policy).ids == [5])
    }

    /// An entity that a collection has brought has the collection's policies.
    @Test func readsMembersByThePoliciesOfTheirCollection() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        try await bench.engine.setPolicy(ResourcePolicy(fetchPolicy: .fromCache), for: "Items")
        #expect(try await bench.engine.read("Items(1)").ids == [1])
        #expect(bench.service.asked == ["GET Items"])
    }
}
