import Foundation
import OfflinePolicies
import OfflineOData
import OfflineResources
import Synchronization
import Testing

/// Every conflict policy × what was done on both sides; nothing is lost in any cell.
@Suite struct ConflictRuleTests {
    enum Clash: CaseIterable { case updateUpdate, updateDelete, deleteUpdate, createCreate }

    struct Case: Sendable, CustomStringConvertible {
        var policy: ConflictResolutionPolicy
        var clash: Clash
        var isByDownload: Bool
        var description: String { "\(policy) \(clash) \(isByDownload ? "download" : "upload")" }

        static let all = ConflictResolutionPolicy.allCases.flatMap { policy in
            Clash.allCases.flatMap { clash in
                [true, false].map { Case(policy: policy, clash: clash, isByDownload: $0) }
            }
        }
    }

    /// Both sides change the same item; the local side offline.
    private func clash(_ clash: Clash, _ items: VersionedItems, _ bench: PolicyBench) async throws {
        bench.network.set(isReachable: false)
        if clash == .createCreate {
            try await bench.engine.create(
                EntityValue(entitySet: "Items", ["ID": 9, "Name": "mine"])
            )
            items.create(9, VersionedItems.Item(name: "theirs"))
        } else {
            var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
            item["Name"] = "mine"
            if clash == .deleteUpdate {
                try await bench.engine.delete(item)
            } else {
                try await bench.engine.update(item)
            }
            if clash == .updateDelete {
                items.delete(2)
            } else {
                items.change(2) { $0.name = "theirs" }
            }
        }
        bench.network.set(isReachable: true)
    }

    @Test(arguments: Case.all)
    func decidesByPolicyAndLosesNothing(_ test: Case) async throws {
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        var configuration = BackendConfiguration()
        configuration.defaultPolicy = ResourcePolicy(conflictResolutionPolicy: test.policy)
        options.configuration = configuration
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        try await clash(test.clash, items, bench)
        if test.isByDownload { try await bench.provider.download() }
        if !test.isByDownload || test.policy == .clientWins { try await bench.provider.upload() }
        let id = test.clash == .createCreate ? 9 : 2
        let there = items.items[id]
        let conflicts = try await bench.engine.conflicts()
        let log = try await bench.provider.eventLog().map { $0.details ?? "" }.joined()
        switch test.policy {
        case .preserveConflict:
            #expect(there?.name == (test.clash == .updateDelete ? nil : "theirs"))
            let conflict = try #require(conflicts.first)
            #expect(conflict.url == "Items(\(id))")
            #expect(conflict.local?["Name"] == (test.clash == .deleteUpdate ? nil : "mine"))
            #expect((conflict.server == nil) == (test.clash == .updateDelete))
        case .serverWins:
            #expect(conflicts.isEmpty)
            #expect(there?.name == (test.clash == .updateDelete ? nil : "theirs"))
            #expect(try await bench.provider.requestQueueIsEmpty())
            #expect(try await bench.provider.errorArchive().isEmpty)
            // The entity that others have created comes with the next download.
            if test.clash == .createCreate { try await bench.provider.download() }
            let here = try await bench.provider.executeQuery("Items(\(id))").first
            #expect(here?["Name"] == (test.clash == .updateDelete ? nil : "theirs"))
            #expect(log.contains(test.clash == .deleteUpdate ? "DELETE Items(2)" : "mine"))
        case .clientWins where test.clash == .updateDelete:
            // What the service has deleted is created anew only where the application decides so.
            #expect(conflicts.count == 1)
            try await bench.engine.resolve(conflicts[0].url, with: .local)
            try await bench.provider.upload()
            #expect(items.items[2]?.name == "mine")
        case .clientWins:
            #expect(conflicts.isEmpty)
            #expect(there?.name == (test.clash == .deleteUpdate ? nil : "mine"))
            #expect(try await bench.provider.requestQueueIsEmpty())
            #expect(log.contains("theirs"))
        }
    }

    /// Another client changes the item before each attempt: the client's word goes over whatever version there is.
    @Test(arguments: [Clash.updateUpdate, .deleteUpdate])
    func clientWinsOverABusyItem(_ kind: Clash) async throws {
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        var configuration = BackendConfiguration()
        configuration.defaultPolicy = ResourcePolicy(conflictResolutionPolicy: .clientWins)
        options.configuration = configuration
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        try await clash(kind, items, bench)
        let answer = items.answer
        bench.service.set { request in
            if ["PATCH", "DELETE"].contains(request.method) {
                items.change(2) { $0.note = "busy" }
            }
            return try await answer(request)
        }
        try await bench.provider.upload()
        #expect(items.items[2]?.name == (kind == .deleteUpdate ? nil : "mine"))
        #expect(try await bench.provider.errorArchive().isEmpty)
        #expect(try await bench.engine.conflicts().isEmpty)
    }

    @Test func givesAllInputsToTheApplicationsOwnRule() async throws {
        let seen = Mutex<[ResourceConflict]>([])
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(
            .preserve,
            updates: ConflictRule { conflict in
                seen.guarded { $0.append(conflict) }
                return .merge(body: "{\"Note\":\"merged\"}")
            }
        )
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        try await clash(.updateUpdate, items, bench)
        let report = try await bench.engine.synchronize()
        let conflict = try #require(seen.guarded { $0.first })
        #expect(conflict.change == .update)
        #expect(conflict.base?["Name"] == "two")
        #expect(conflict.local?["Name"] == "mine")
        #expect(conflict.server?["Name"] == "theirs")
        #expect(conflict.changedProperties == ["Name"])
        #expect(items.items[2]?.name == "mine")
        #expect(items.items[2]?.note == "merged")
        #expect(report.resources.map(\.action) == [.updatedOnServer])
    }

    @Test(arguments: ["2001-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])
    func letsTheLastModifiedWin(_ time: String) async throws {
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(.lastModifiedWins(property: "Modified"))
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        try await clash(.updateUpdate, items, bench)
        items.change(2) { $0.modified = time }
        let report = try await bench.engine.synchronize()
        let isMine = time.hasPrefix("2001")
        #expect(items.items[2]?.name == (isMine ? "mine" : "theirs"))
        #expect(report.resources.map(\.action) == [isMine ? .updatedOnServer : .updatedInCache])
    }

    /// Of two versions of the same time the service's stays.
    @Test func letsTheServiceWinAtTheSameTime() async throws {
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(.lastModifiedWins(property: "Modified"))
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        bench.network.set(isReachable: false)
        var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        item["Name"] = "mine"
        item["Modified"] = "2030-01-01T00:00:00Z"
        try await bench.engine.update(item)
        items.change(2) { ($0.name, $0.modified) = ("theirs", "2030-01-01T00:00:00Z") }
        bench.network.set(isReachable: true)
        try await bench.engine.synchronize()
        #expect(items.items[2]?.name == "theirs")
    }

    /// What both sides have changed to the same value is no clash; what was changed here alone goes up.
    @Test func mergesEqualChanges() async throws {
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(.mergingProperties(otherwise: .preserve))
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        bench.network.set(isReachable: false)
        var item = try #require(try await bench.provider.executeQuery("Items(2)").first)
        item["Name"] = "mine"
        item["Modified"] = "2031-01-01T00:00:00Z"
        try await bench.engine.update(item)
        bench.network.set(isReachable: true)
        items.change(2) { ($0.name, $0.note) = ("mine", "their note") }
        try await bench.engine.synchronize()
        #expect(try await bench.engine.conflicts().isEmpty)
        #expect(items.items[2]?.note == "their note")
        #expect(items.items[2]?.modified == "2031-01-01T00:00:00Z")
        #expect(try await bench.provider.requestQueueIsEmpty())
    }

    /// The names of the records of errors.
    private final class ErrorNames: OfflineODataLogger {
        let level = OfflineODataLogLevel.error
        private let names = Mutex<[String]>([])

        func log(_ record: OfflineODataLogRecord) { names.guarded { $0.append(record.event) } }

        var all: [String] { names.guarded { $0 } }
    }

    /// A conflict about which the application cannot decide does not keep the others waiting.
    @Test func decidesTheOtherConflictsWhereOneCannotBe() async throws {
        struct Undecided: Error {}
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(
            ConflictRule { conflict in
                if conflict.url == "Items(1)" { throw Undecided() }
                return .local
            }
        )
        let log = ErrorNames()
        let bench = try await PolicyBench(queries: ["Items"], options, logger: log, items.answer)
        bench.network.set(isReachable: false)
        for id in [1, 2] {
            let url = "Items(\(id))"
            var item = try #require(try await bench.provider.executeQuery(url).first)
            item["Name"] = "mine"
            try await bench.engine.update(item)
            items.change(id) { $0.name = "theirs" }
        }
        bench.network.set(isReachable: true)
        try await bench.engine.synchronize()
        #expect(items.items[2]?.name == "mine")
        #expect(items.items[1]?.name == "theirs")
        #expect(try await bench.engine.conflicts().map(\.url) == ["Items(1)"])
        #expect(log.all == ["conflict.unsettled"])
        await #expect(throws: Undecided.self) { try await bench.engine.settleConflicts() }
    }

    /// Somebody changes the entity again between a decision and the change that it lets win.
    @Test func decidesAgainWhereOthersGoOnChanging() async throws {
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(ConflictRule { _ in .local })
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        try await clash(.updateUpdate, items, bench)
        let answer = items.answer
        let changes = Mutex(0)
        bench.service.set { request in
            let isMet = changes.guarded { count in
                count += request.method == "PATCH" ? 1 : 0
                return request.method == "PATCH" && count < 3
            }
            if isMet { items.change(2) { $0.note += "!" } }
            return try await answer(request)
        }
        try await bench.engine.synchronize()
        #expect(items.items[2]?.name == "mine")
        #expect(items.items[2]?.note == "-!!")
        #expect(try await bench.engine.conflicts().isEmpty)
    }

    @Test(arguments: [true, false])
    func mergesPropertiesThatOneSideHasChanged(_ isApart: Bool) async throws {
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(.mergingProperties(otherwise: .serverModifiedWins))
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        try await clash(.updateDelete, VersionedItems(), bench)
        items.change(2) {
            if isApart { $0.note = "their note" } else { $0.name = "theirs" }
        }
        try await bench.engine.synchronize()
        #expect(items.items[2]?.name == (isApart ? "mine" : "theirs"))
        #expect(items.items[2]?.note == (isApart ? "their note" : "-"))
    }

    @Test func putsThePolicyOfAResourceBeforeTheRules() async throws {
        let items = VersionedItems()
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(.serverModifiedWins)
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        try await clash(.updateUpdate, items, bench)
        try await bench.engine.setPolicy(
            ResourcePolicy(conflictResolutionPolicy: .clientWins),
            for: "Items(2)"
        )
        try await bench.engine.synchronize()
        #expect(items.items[2]?.name == "mine")
    }

    /// A rule that asks for what waits for the rule itself is told so.
    @Test(.timeLimit(.minutes(1)))
    func aRuleCannotSynchronise() async throws {
        let items = VersionedItems()
        let held = Mutex<PolicyEngine?>(nil)
        let categories = Mutex<[OfflineODataError.Category]>([])
        var options = PolicyEngineOptions()
        options.conflictRules = ConflictRules(
            ConflictRule { _ in
                guard let engine = held.withLock({ $0 }) else { return .preserve }
                do {
                    _ = try await engine.synchronize()
                } catch let error as OfflineODataError {
                    categories.withLock { $0.append(error.category) }
                }
                do {
                    _ = try await engine.settleConflicts()
                } catch let error as OfflineODataError {
                    categories.withLock { $0.append(error.category) }
                }
                let created = try await engine.create(
                    EntityValue(entitySet: "Items", ["ID": 77, "Name": "beside"])
                )
                return created.state == .queued ? .local : .preserve
            }
        )
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        held.withLock { $0 = bench.engine }
        try await clash(.updateUpdate, items, bench)
        try await bench.provider.upload()
        #expect(categories.withLock { $0 } == [.inUse, .inUse])
        #expect(items.items[2]?.name == "mine")
        held.withLock { $0 = nil }
    }
}
