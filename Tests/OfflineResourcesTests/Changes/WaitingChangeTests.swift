import Foundation
import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import Synchronization
import TestSupport
import Testing

/// Changes that wait, and what comes after them.
@Suite struct WaitingChangeTests {
    private func rename(_ id: Int, _ name: String, _ bench: PolicyBench) async throws {
        var item = try #require(try await bench.provider.executeQuery("Items(\(id))").first)
        item["Name"] = .string(name)
        try await bench.provider.updateEntity(item)
    }

    private func changes(_ bench: PolicyBench) -> [String] {
        bench.transport.requests.filter { $0.method != "GET" && !$0.url.hasSuffix("$batch") }.map {
            "\($0.method) \($0.url.split(separator: "/").last ?? "") \($0.headers["If-Match"] ?? "")"
        }
    }

    /// A later change of one entity goes behind the earlier, although it must not be stored.
    @Test func goesBehindAnEarlierChangeWhereNothingMayBeStored() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read("Items")
        try await rename(2, "first", bench)
        try await bench.engine.setPolicy(ResourcePolicy(noCache: true), for: "Items(2)")
        #expect(try await !bench.engine.passesStore("Items(2)"))
        #expect(try await bench.engine.passesStore("Items(1)") == false)
        var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        item["Note"] = "second"
        #expect(try await bench.engine.update(item).state == .sent)
        #expect(items.items[2]?.name == "first")
        #expect(items.items[2]?.note == "second")
        #expect(changes(bench) == ["PATCH Items(2) \"1\"", "PATCH Items(2) \"2\""])
    }

    /// The service has deleted the entity and creates by PATCH: nothing is sent that would bring it back.
    @Test(arguments: [ConflictResolutionPolicy.preserveConflict, .serverWins, .clientWins])
    func sendsNoUpdateOfWhatAReadHasShownDeleted(_ policy: ConflictResolutionPolicy) async throws {
        var configuration = BackendConfiguration()
        configuration.defaultPolicy = ResourcePolicy(conflictResolutionPolicy: policy)
        var options = PolicyEngineOptions()
        options.configuration = configuration
        let bench = try await PolicyBench(options) { _ in LiteralService.items([1, 2]) }
        _ = try await bench.engine.read("Items")
        try await rename(2, "mine", bench)
        bench.service.set { request in
            request.method == "GET" ? nil : LiteralService.item(2, name: "mine")
        }
        #expect(try await bench.engine.read("Items(2)").ids == [2])
        _ = try? await bench.provider.upload()
        #expect(changes(bench).isEmpty)
        let archived = try await bench.provider.errorArchive().map(\.method)
        #expect(archived == (policy == .serverWins ? [] : ["PATCH"]))
    }

    /// Another version stays to be decided about, although the entity is deleted here.
    @Test func keepsARefusedChangeInConflictBesideADeletion() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(queries: ["Items"], PolicyEngineOptions(), items.answer)
        try await rename(2, "mine", bench)
        items.change(2) { $0.name = "theirs" }
        try await bench.provider.upload()
        #expect(try await bench.provider.errorArchive().map(\.method) == ["PATCH"])
        let item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        try await bench.provider.deleteEntity(item)
        try await bench.provider.upload()
        #expect(items.items[2]?.name == "theirs")
        #expect(try await bench.provider.errorArchive().map(\.method) == ["PATCH"])
        #expect(try await bench.provider.requestQueue().map(\.method) == ["DELETE"])
    }

    /// The client's version wins also where others go on changing the entity, and the report says so.
    @Test func overwritesWhateverComesBetweenWhereTheClientWins() async throws {
        let items = VersionedItems()
        var configuration = BackendConfiguration()
        configuration.defaultPolicy = ResourcePolicy(conflictResolutionPolicy: .clientWins)
        var options = PolicyEngineOptions()
        options.configuration = configuration
        let bench = try await PolicyBench(options) { request in
            let answer = try await items.answer(request)
            if request.method == "GET" { items.change(2) { $0.note = "again" } }
            return answer
        }
        _ = try await bench.engine.read("Items")
        try await rename(2, "mine", bench)
        let report = try await bench.engine.synchronize()
        #expect(items.items[2]?.name == "mine")
        #expect(changes(bench).last == "PATCH Items(2) *")
        #expect(report.outcome.succeededCount == 1)
        #expect(report.outcome.failedCount == 0)
    }

    /// A request that was refused earlier and is sent now by a policy counts.
    @Test func countsWhatADecisionHasSentOutOfTheArchive() async throws {
        let items = VersionedItems()
        let bench = try await PolicyBench(PolicyEngineOptions(), items.answer)
        _ = try await bench.engine.read("Items")
        try await rename(2, "mine", bench)
        items.change(2) { $0.name = "theirs" }
        _ = try await bench.engine.synchronize()
        #expect(try await bench.provider.errorArchive().count == 1)
        let policy = ResourcePolicy(conflictResolutionPolicy: .clientWins)
        try await bench.engine.setPolicy(policy, for: "Items(2)")
        let report = try await bench.engine.synchronize()
        #expect(items.items[2]?.name == "mine")
        #expect(report.outcome.succeededCount == 1)
    }

    /// The pin of a read counts for changes of its members.
    @Test func sendsChangesOfMembersOfAPinnedReadFirst() async throws {
        let bench = try await PolicyBench { request in
            guard !request.url.hasSuffix("$batch") else { return nil }
            guard request.method == "GET" else { return HTTPResponse(status: 204) }
            guard !request.url.contains("(") else { return HTTPResponse(status: 405) }
            return LiteralService.items(request.url.hasSuffix("?$top=1") ? [3] : [1, 2, 3])
        }
        _ = try await bench.engine.read("Items")
        _ = try await bench.engine.read("Items?$top=1")
        try await bench.engine.pin("Items?$top=1", priority: .high)
        for id in [1, 2, 3] { try await rename(id, "new", bench) }
        try await bench.provider.upload()
        #expect(
            changes(bench).map { $0.prefix(14) } == [
                "PATCH Items(3)", "PATCH Items(1)", "PATCH Items(2)",
            ]
        )
    }

    @Test func keepsPolicyAndPinOfWhatIsEvicted() async throws {
        let bench = try await PolicyBench()
        _ = try await bench.engine.read("Items")
        try await bench.engine.setPolicy(ResourcePolicy(noCache: true), for: "Items")
        try await bench.engine.pin("Items", priority: .high)
        try await bench.engine.evictAll()
        try await bench.engine.evict("Items")
        let kept = try #require(try await bench.engine.storedResource("Items"))
        #expect(kept.ownPolicy.noCache == true)
        #expect(kept.pinPriority == .high)
        _ = try await bench.engine.read("Items")
        #expect(try await bench.provider.executeQuery("Items").isEmpty)
    }
}
