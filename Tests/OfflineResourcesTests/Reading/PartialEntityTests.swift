import ODataHTTP
import OfflineOData
import TestSupport
import Testing

@testable import OfflineResources

/// An entity that a read of a part of its properties has brought: what else is asked for is asked of the service.
@Suite struct PartialEntityTests {
    private static let head = #"{"@odata.context":"http://service.localhost/odata/$metadata#Items""#

    /// Of what is selected, the properties alone.
    private static let answer: LiteralService.Answer = { request in
        let item =
            switch request.url.split(separator: "?").last {
            case "$select=ID,Name": #"{"ID":1,"Name":"One"}"#
            case "$select=Note": #"{"ID":1,"Note":"n"}"#
            default: #"{"ID":1,"Name":"One","Note":"n"}"#
            }
        if request.url.contains("/Note") {
            return LiteralService.json(
                #"{"@odata.context":"http://service.localhost/odata/$metadata#Items(1)/Note","value":"n"}"#
            )
        }
        guard request.url.contains("(1)") else {
            return LiteralService.json(head + #","value":["# + item + "]}")
        }
        return LiteralService.json(
            head.dropLast() + #"/$entity","# + item.dropFirst()
        )
    }

    private static let fromStore: [FetchPolicy] = [
        .fromServiceOnCacheMiss, .fromServiceOnCacheMissOrExpiry, .withRefresh,
    ]

    /// What is read, and whether the read of `ID` and `Name` has brought it.
    private static let reads: [(url: String, isKnown: Bool)] = [
        ("Items(1)", false), ("Items(1)?$select=Note", false),
        ("Items(1)?$select=Name,Note", false),
        ("Items(1)?$select=Name", true),
    ]

    @Test(arguments: fromStore, reads)
    func isReadFromTheServiceWhereMoreIsAskedFor(
        _ policy: FetchPolicy,
        _ read: (url: String, isKnown: Bool)
    ) async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), Self.answer)
        _ = try await bench.engine.read("Items?$select=ID,Name")
        let answer = try await bench.engine.read(
            read.url,
            policy: ResourcePolicy(fetchPolicy: policy)
        )
        await bench.engine.finishRefreshes()
        #expect(answer.origin.place == (read.isKnown ? .store : .service))
        let note = try #require(answer.entity)["Note"]
        #expect(note == (read.isKnown ? nil : "n"))
    }

    @Test(arguments: fromStore)
    func answersAPropertyThatItKnowsAndAsksForOthers(_ policy: FetchPolicy) async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), Self.answer)
        _ = try await bench.engine.read("Items?$select=ID,Name")
        for (name, count) in [("Name", 1), ("Note", 2)] {
            let (response, _) = await bench.engine.respond(
                to: HTTPRequest(method: "GET", url: "Items(1)/" + name),
                policy: ResourcePolicy(fetchPolicy: policy)
            )
            #expect(response.status == 200)
            #expect(bench.service.asked.count == count, "\(name)")
        }
    }

    /// What one read and another one have brought is known together.
    @Test func isKnownByAllReadsTogether() async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), Self.answer)
        _ = try await bench.engine.read("Items?$select=ID,Name")
        _ = try await bench.engine.read("Items(1)?$select=Note")
        let answer = try await bench.engine.read(
            "Items(1)?$select=Name,Note",
            policy: ResourcePolicy(fetchPolicy: .fromServiceOnCacheMiss)
        )
        #expect(answer.origin.place == .store)
        #expect(answer.entity?["Note"] == "n")
    }

    @Test(arguments: [FetchPolicy.fromServiceOnCacheMiss, .fromServiceIfOnline, .fromCache])
    func isAnsweredInPartWithoutANetwork(_ policy: FetchPolicy) async throws {
        let bench = try await PolicyBench(PolicyEngineOptions(), Self.answer)
        _ = try await bench.engine.read("Items?$select=ID,Name")
        bench.network.set(isReachable: false)
        let answer = try await bench.engine.read(
            "Items(1)",
            policy: ResourcePolicy(fetchPolicy: policy)
        )
        #expect(answer.entity?["Name"] == "One")
    }
}
