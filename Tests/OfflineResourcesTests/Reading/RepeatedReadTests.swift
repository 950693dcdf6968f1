import Foundation
@testable import OfflinePolicies
import StoreRecords
@testable import ODataSQLite
import ODataHTTP
import OfflineOData
import OfflineStore
import Synchronization
import Testing

@testable import OfflineResources

/// Reads that repeat use what an earlier one has worked out, and notice everything that has changed since.
@Suite struct RepeatedReadTests {
    private let cached = ResourcePolicy(fetchPolicy: .fromCache)

    /// Statements that a read starts, and those that it compiles.
    private func statements(
        _ bench: PolicyBench,
        _ read: () async throws -> Void
    ) async throws -> [Int] {
        // The connection used last is lent next.
        func counts() throws -> [Int] {
            try bench.engine.router.store.file.readBlocking {
                [$0.startedStatementCount, $0.preparedStatementCount]
            }
        }
        for _ in 0..<2 { try await read() }
        let before = try counts()
        try await read()
        return zip(try counts(), before).map { $0 - $1 }
    }

    @Test func readsACopyByTheOneStatementOfItsMembers() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items?$top=2")
        let counts = try await statements(bench) {
            let answer = try await bench.engine.read("Items?$top=2", policy: cached)
            #expect(answer.ids == [1, 2])
        }
        #expect(counts == [1, 0])
    }

    @Test func readsAnEntityByTheOneStatementThatLooksForIt() async throws {
        let bench = try await PolicyBench(queries: ["Items"])
        _ = try await bench.engine.read("Items?$top=2")
        let byKey = try await statements(bench) {
            let answer = try await bench.engine.read(entitySet: "Items", key: 2, policy: cached)
            #expect(answer.ids == [2])
        }
        let byURL = try await statements(bench) {
            let answer = try await bench.engine.read("Items(2)", policy: cached)
            #expect(answer.ids == [2])
        }
        let selected = try await statements(bench) {
            let answer = try await bench.engine.read("Items(2)?$select=ID", policy: cached)
            #expect(answer.ids == [2])
            #expect(answer.entity?["Name"] == nil)
        }
        #expect(byKey == [1, 0])
        #expect(byURL == [1, 0])
        #expect(selected == [2, 0])
    }

    @Test func noticesAnEntityThatAnotherProcessHasChanged() async throws {
        let bench = try await PolicyBench(queries: ["Items"])
        let other = try await PolicyBench(after: bench)
        for name in ["first", "second"] {
            var item = try #require(try await other.provider.executeQuery("Items(2)").first)
            item["Name"] = .string(name)
            try await other.provider.updateEntity(item)
            let byKey = try await bench.engine.read(entitySet: "Items", key: 2, policy: cached)
            #expect(byKey.entity?["Name"] == .string(name))
            // An answer as JSON does not read what the look has read.
            let request = HTTPRequest(method: "GET", url: "Items(2)")
            let (response, _) = await bench.engine.respond(to: request, policy: cached)
            #expect(String(decoding: response.body, as: UTF8.self).contains(name))
        }
        let none = try await bench.engine.read(entitySet: "Items", key: 3, policy: cached)
        #expect(none.entities == nil)
    }

    @Test func noticesOtherMembersAndOtherValues() async throws {
        let bench = try await PolicyBench()
        func ids() async throws -> [Int64]? {
            try await bench.engine.read("Items", policy: cached).ids
        }
        _ = try await bench.engine.read("Items")
        #expect(try await ids() == [1, 2])
        bench.service.set { _ in LiteralService.items([3, 2, 4]) }
        _ = try await bench.engine.read("Items")
        #expect(try await ids() == [3, 2, 4])
        try await bench.provider.createEntity(EntityValue(entitySet: "Items", ["ID": 9]))
        #expect(try await ids() == [3, 2, 4, 9])
        let item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        try await bench.provider.deleteEntity(item)
        #expect(try await ids() == [3, 4, 9])
        var other = try #require(try await bench.provider.executeQuery("Items(4)").first)
        other["Name"] = "changed here"
        try await bench.provider.updateEntity(other)
        let changed = try await bench.engine.read("Items", policy: cached).entities?[1]
        #expect(changed?["Name"] == "changed here")
        #expect(changed?.hasPendingChanges == true)
    }

    @Test func noticesThatACopyWasRemovedAndMadeAgain() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        #expect(try await bench.engine.read("Items", policy: cached).ids == [1, 2])
        try await bench.engine.router.remove(collection: "Items")
        #expect(try await bench.engine.read("Items", policy: cached).entities == nil)
        _ = try await bench.engine.read("Items")
        #expect(try await bench.engine.read("Items", policy: cached).ids == [1, 2])
    }

    @Test func noticesPoliciesOfTheReaderTheResourceAndTheConfiguration() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        let service = ResourcePolicy(fetchPolicy: .fromService)
        for (policy, place) in [(cached, "store"), (service, "service"), (cached, "store")] {
            let answer = try await bench.engine.read("Items", policy: policy)
            #expect(answer.origin.place.description == place)
            #expect(answer.policy?.fetchPolicy.value == policy.fetchPolicy)
        }
        try await bench.engine.setPolicy(cached, for: "Items")
        #expect(try await bench.engine.read("Items").origin.place == .store)
        try await bench.engine.setPolicy(service, for: "Items")
        #expect(try await bench.engine.read("Items").origin.place == .service)
        try await bench.engine.setPolicy(ResourcePolicy(), for: "Items")
        var kept = BackendConfiguration()
        for policy in [cached, service] {
            let pattern = try #require(PathPattern("Items"))
            kept.policies = [PathPolicy(pattern: pattern, policy: policy)]
            try await bench.engine.keep(configuration: kept)
            let answer = try await bench.engine.read("Items")
            #expect(answer.policy?.fetchPolicy.value == policy.fetchPolicy)
            #expect(answer.policy?.fetchPolicy.level == .path)
        }
    }

    @Test func noticesTheClockAndTheSession() async throws {
        let bench = try await PolicyBench()
        func isExpired(_ url: String) async throws -> Bool {
            try await bench.engine.read(url, policy: cached).origin.isExpired
        }
        let minute = ResourcePolicy(expirationPolicy: .after, expireAfter: 60)
        _ = try await bench.engine.read("Items", policy: minute)
        for (step, expected) in [(0.0, false), (61, true), (-30, false), (-60, true)] {
            bench.clock.advance(step)
            #expect(try await isExpired("Items") == expected, "\(step)")
            #expect(try await isExpired("Items(2)") == expected, "\(step)")
        }
        let session = ResourcePolicy(expirationPolicy: .onRestart)
        _ = try await bench.engine.read("Items?$top=2", policy: session)
        #expect(try await !isExpired("Items?$top=2"))
        try await bench.engine.start()
        #expect(try await isExpired("Items?$top=2"))
    }

    @Test func tellsHeaderFieldsOfAnotherLanguageApart() async throws {
        let bench = try await PolicyBench { request in
            LiteralService.items(request.headers["Accept-Language"] == "de" ? [1, 3] : [2])
        }
        let expected: [(language: String?, ids: [Int64])] = [
            ("de", [1, 3]), ("en", [2]), (nil, [2]), ("de", [1, 3]),
        ]
        for policy in [ResourcePolicy(), cached, cached] {
            for (language, ids) in expected {
                let headers = HTTPHeaders(
                    language.map { [.init(name: "Accept-Language", value: $0)] } ?? []
                )
                let answer = try await bench.engine.read("Items", policy: policy, headers: headers)
                #expect(answer.ids == ids)
            }
        }
        #expect(bench.service.asked.count == expected.count)
        let french: HTTPHeaders = ["Accept-Language": "fr"]
        let none = try await bench.engine.read("Items", policy: cached, headers: french)
        #expect(none.entities == nil)
    }

    @Test func noticesTheNetwork() async throws {
        let bench = try await PolicyBench()
        for isReachable in [true, true, false, false, true] {
            bench.network.set(isReachable: isReachable)
            let place = try await bench.engine.read("Items").origin.place
            #expect(place == (isReachable ? .service : .store))
        }
    }

    @Test func noticesNewMetadata() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        let first = try await bench.engine.read("Items", policy: cached).entities?.first
        #expect(first?.index(of: "Weight") == nil)
        bench.service.setMetadata {
            $0.replacing(
                "<Property Name=\"Note\"",
                with: "<Property Name=\"Weight\" Type=\"Edm.Int32\"/><Property Name=\"Note\""
            )
        }
        bench.service.set { _ in
            LiteralService.json("{\"value\":[{\"ID\":1,\"Name\":\"Item 1\",\"Weight\":5}]}")
        }
        try await bench.provider.download()
        _ = try await bench.engine.read("Items")
        let answer = try await bench.engine.read("Items", policy: cached)
        #expect(answer.entities?.first?["Weight"] == 5)
        #expect(answer.ids == [1])
    }

    @Test func answersAnEntityWithTheDateOfTheNewestAnswerThatBroughtIt() async throws {
        for queries in [[], ["Items"]] {
            let bench = try await PolicyBench(queries: queries)
            _ = try await bench.engine.read("Items?$top=2")
            let first = bench.clock.now
            #expect(try await bench.engine.read("Items(2)", policy: cached).origin.date == first)
            bench.clock.advance(10)
            _ = try await bench.engine.read("Items?$top=3")
            for policy in [cached, cached] {
                let answer = try await bench.engine.read("Items(2)", policy: policy)
                #expect(answer.origin.date == first.addingTimeInterval(10))
            }
        }
    }

    @Test func keepsNoMoreThanItsCapacity() {
        final class Box: Sendable {}
        let values = RecentValues<Box>(capacity: 8)
        let first = values.value("0") { _ in
            true
        } make: {
            Box()
        }
        for number in 1...100 {
            _ = values.value("\(number)") { _ in
                true
            } make: {
                Box()
            }
            // What is asked for again and again stays.
            #expect(
                values.value("0") { _ in
                    true
                } make: {
                    Box()
                } === first
            )
        }
        #expect(values.count <= 8)
        let long = String(repeating: "a", count: RecentValues<Box>.maximumLength + 1)
        _ = values.value(long) { _ in
            true
        } make: {
            first
        }
        #expect(
            values.value(long) { _ in
                true
            } make: {
                Box()
            } !== first
        )
        #expect(
            values.value("0") { _ in
                false
            } make: {
                Box()
            } !== first
        )
    }
}
