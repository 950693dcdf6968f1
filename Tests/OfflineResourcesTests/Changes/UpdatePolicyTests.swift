import Foundation
import OfflinePolicies
import ODataHTTP
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// What becomes of changes, by network and update policy.
@Suite struct UpdatePolicyTests {
    private func bench(_ items: VersionedItems, _ options: PolicyEngineOptions = .init())
        async throws -> PolicyBench
    {
        let bench = try await PolicyBench(options, items.answer)
        _ = try await bench.engine.read("Items")
        return bench
    }

    private func item(_ id: Int, _ bench: PolicyBench) async throws -> EntityValue {
        var item = try #require(try await bench.provider.executeQuery("Items(\(id))").first)
        item["Name"] = "mine"
        return item
    }

    @Test func sendsAtOnceWhileOnline() async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        let change = try await bench.engine.update(item(2, bench))
        #expect(change.state == .sent)
        #expect(items.items[2]?.name == "mine")
        let created = try await bench.engine.create(
            EntityValue(entitySet: "Items", ["ID": 9, "Name": "nine"])
        )
        #expect(created.state == .sent)
        #expect(items.items[9]?.name == "nine")
        #expect(try await bench.engine.delete(item(1, bench)).state == .sent)
        #expect(items.items[1] == nil)
        #expect(try await bench.provider.requestQueueIsEmpty())
    }

    @Test(arguments: [UpdatePolicy.queueIfOffline, .updateIfOnline], [nil, true, false])
    func queuesOrRefusesOffline(_ policy: UpdatePolicy, _ isKept: Bool?) async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        bench.network.set(isReachable: false)
        let options = ResourceChangeOptions(
            policy: ResourcePolicy(updatePolicy: policy),
            isKeptOffline: isKept
        )
        let changed = try await item(2, bench)
        if isKept ?? (policy == .queueIfOffline) {
            #expect(try await bench.engine.update(changed, options: options).state == .queued)
            #expect(try await bench.provider.requestQueue().count == 1)
        } else {
            let error = await #expect(throws: OfflineODataError.self) {
                try await bench.engine.update(changed, options: options)
            }
            #expect(error?.code == .offline)
            #expect(try await bench.provider.requestQueueIsEmpty())
            #expect(try await bench.provider.executeQuery("Items(2)").first?["Name"] == "two")
        }
        #expect(items.items[2]?.name == "two")
    }

    @Test func appliesConfiguredPoliciesToChangesOfTheProvider() async throws {
        var options = PolicyEngineOptions()
        var configuration = BackendConfiguration()
        configuration.defaultPolicy = ResourcePolicy(updatePolicy: .updateIfOnline)
        options.configuration = configuration
        let bench = try await bench(VersionedItems(), options)
        bench.network.set(isReachable: false)
        let changed = try await item(2, bench)
        await #expect(throws: OfflineODataError.self) {
            try await bench.provider.updateEntity(changed)
        }
        // The change's own word comes before the configuration.
        let options2 = ResourceChangeOptions(isKeptOffline: true)
        #expect(try await bench.engine.update(changed, options: options2).state == .queued)
    }

    @Test(arguments: [UpdatePolicy.queueIfOffline, .updateIfOnline])
    func takesAnUnreachableServiceAsOffline(_ policy: UpdatePolicy) async throws {
        let bench = try await bench(VersionedItems())
        bench.transport.setFault { _ in .lostBefore }
        let changed = try await item(2, bench)
        let options = ResourceChangeOptions(policy: ResourcePolicy(updatePolicy: policy))
        if policy == .queueIfOffline {
            #expect(try await bench.engine.update(changed, options: options).state == .queued)
        } else {
            await #expect(throws: OfflineODataError.self) {
                try await bench.engine.update(changed, options: options)
            }
            #expect(try await bench.provider.requestQueueIsEmpty())
        }
    }

    /// Hands requests on, and finds that the answers to changes take too long.
    private final class SlowTransport: HTTPTransport {
        let service: HandlerTransport

        init(_ service: HandlerTransport) { self.service = service }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            let response = try await service.send(request, options: options)
            guard request.method != "PATCH" else {
                throw HTTPTransportError(.timedOut, "no byte came for 60 seconds")
            }
            return response
        }
    }

    /// The change may have arrived: it is an error whatever the policy, nothing is taken back, and the next upload asks what became of it.
    @Test(arguments: [UpdatePolicy.queueIfOffline, .updateIfOnline])
    func aTimeoutThatTheLibraryFindsIsAnErrorAndALostAnswer(_ policy: UpdatePolicy) async throws {
        let items = VersionedItems()
        let scratch = try ScratchDirectory()
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: scratch.path)
        parameters.retryPolicy = .never
        let service = HandlerTransport(LiteralService(items.answer))
        parameters.transport = SlowTransport(service)
        let provider = try OfflineODataProvider(
            serviceRoot: "http://service.localhost/odata/",
            parameters: parameters
        )
        try await provider.open()
        var engineOptions = PolicyEngineOptions()
        engineOptions.reachability = ManualReachability()
        let engine = PolicyEngine(provider: provider, options: engineOptions)
        var item = try #require(try await engine.read("Items(2)").entity)
        item["Name"] = "mine"
        let (changed, options) = (
            item, ResourceChangeOptions(policy: ResourcePolicy(updatePolicy: policy))
        )
        let error = await #expect(throws: OfflineODataError.self) {
            try await engine.update(changed, options: options)
        }
        #expect(error?.code == (policy == .updateIfOnline ? .unknownOutcome : .timedOut))
        #expect(try await provider.requestQueue().count == 1)
        #expect(try await provider.executeQuery("Items(2)").first?["Name"] == "mine")
        #expect(items.items[2]?.version == 2)
        let report = try await engine.synchronize()
        #expect(report.upload.succeededCount == 1)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(items.items[2]?.version == 2)
    }

    @Test func takesBackNoEarlierChangeWithOneThatMustNotWait() async throws {
        let bench = try await bench(VersionedItems())
        bench.transport.setFault { _ in .lostBefore }
        var changed = try await item(2, bench)
        try await bench.engine.update(changed)
        changed["Note"] = "must not wait"
        let refused = changed
        let options = ResourceChangeOptions(policy: ResourcePolicy(updatePolicy: .updateIfOnline))
        await #expect(throws: OfflineODataError.self) {
            try await bench.engine.update(refused, options: options)
        }
        let kept = try await bench.provider.executeQuery("Items(2)").first
        #expect(kept?["Name"] == "mine")
        #expect(kept?["Note"] == "-")
        #expect(try await bench.provider.requestQueue().count == 1)
    }

    /// Others change the store at the same time: their changes are none of it.
    @Test func takesBackNoChangeOfOthersMadeMeanwhile() async throws {
        let bench = try await bench(VersionedItems())
        bench.transport.setFault { _ in .lostBefore }
        let (mine, provider) = (try await item(2, bench), bench.provider)
        var other = try await item(1, bench)
        other["Name"] = "of another"
        let theirs = other
        await #expect(throws: OfflineODataError.self) {
            try await bench.engine.sendAtOnce("Items(2)") {
                // Not of this task.
                try await Task.detached { try await provider.updateEntity(theirs) }.value
                try await $0.updateEntity(mine)
            }
        }
        #expect(try await provider.requestQueue().map(\.url) == ["Items(1)"])
        #expect(try await provider.executeQuery("Items(1)").first?["Name"] == "of another")
        #expect(try await provider.executeQuery("Items(2)").first?["Name"] == "two")
    }

    /// A change that another one was made on is not taken away below it.
    @Test func keepsWhatOthersBuildOn() async throws {
        let bench = try await bench(VersionedItems())
        bench.transport.setFault { _ in .lostBefore }
        let (mine, provider) = (try await item(2, bench), bench.provider)
        let error = await #expect(throws: OfflineODataError.self) {
            try await bench.engine.sendAtOnce("Items(2)") {
                try await $0.updateEntity(mine)
                try await Task.detached {
                    var read = try #require(try await provider.executeQuery("Items(2)").first)
                    read["Note"] = "on top"
                    try await provider.updateEntity(read)
                }.value
            }
        }
        #expect(error?.message.contains("was not sent, and waits") == true)
        #expect(try await provider.requestQueue().count == 2)
    }

    /// A refused change of the same entity stays, whether it is corrected by the new one or not.
    @Test(arguments: [true, false])
    func takesBackNoRefusedChange(_ isDeletion: Bool) async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        bench.service.set { $0.method == "PATCH" ? HTTPResponse(status: 400) : nil }
        try await bench.provider.updateEntity(item(2, bench))
        try await bench.provider.upload()
        #expect(try await bench.provider.errorArchive().count == 1)
        bench.transport.setFault { _ in .lostBefore }
        var next = try #require(try await bench.provider.executeQuery("Items(2)").first)
        next["Note"] = "more"
        let changed = next
        let options = ResourceChangeOptions(policy: ResourcePolicy(updatePolicy: .updateIfOnline))
        await #expect(throws: OfflineODataError.self) {
            if isDeletion {
                try await bench.engine.delete(changed, options: options)
            } else {
                try await bench.engine.update(changed, options: options)
            }
        }
        let left = try await bench.provider.requestQueue() + bench.provider.errorArchive()
        #expect(left.count == 1)
        #expect(left.first?.body?.contains("mine") == true)
        #expect(try await bench.provider.executeQuery("Items(2)").first?["Name"] == "mine")
    }

    /// Another synchronisation has carried the change out, before the own one fails for something else.
    @Test func isSentWhereAnotherSynchronisationHasSentIt() async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        let (mine, provider) = (try await item(2, bench), bench.provider)
        let other = try await item(1, bench)
        let sent = try await bench.engine.sendAtOnce("Items(2)") { provider in
            try await provider.updateEntity(mine)
            _ = try await Task.detached { try await provider.upload() }.value
            bench.transport.setFault { _ in .lostBefore }
            try await Task.detached { try await provider.updateEntity(other) }.value
        }
        #expect(sent.state == .sent)
        #expect(items.items[2]?.name == "mine")
        #expect(try await provider.requestQueue().map(\.url) == ["Items(1)"])
    }

    /// Carries changes out, and lets their answers wait until the call is cancelled.
    private final class HeldTransport: HTTPTransport {
        let service: HandlerTransport
        let isWaiting = AsyncStream.makeStream(of: Void.self)

        init(_ service: HandlerTransport) { self.service = service }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            let response = try await service.send(request, options: options)
            guard request.method == "PATCH" else { return response }
            isWaiting.continuation.yield()
            try await Task.sleep(for: .seconds(3_600))
            return response
        }
    }

    /// What was on its way when the call was cancelled may be carried out: nobody is told to make it again.
    @Test func saysOfACancelledChangeThatItMayBeCarriedOut() async throws {
        let items = VersionedItems()
        let scratch = try ScratchDirectory()
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: scratch.path)
        let transport = HeldTransport(HandlerTransport(LiteralService(items.answer)))
        parameters.transport = transport
        let provider = try OfflineODataProvider(
            serviceRoot: "http://service.localhost/odata/",
            parameters: parameters
        )
        try await provider.open()
        var options = PolicyEngineOptions()
        options.reachability = ManualReachability()
        let engine = PolicyEngine(provider: provider, options: options)
        var item = try #require(try await engine.read("Items(2)").entity)
        item["Name"] = "mine"
        let changed = item
        let call = Task {
            try await engine.sendAtOnce("Items(2)") { try await $0.updateEntity(changed) }
        }
        for await _ in transport.isWaiting.stream { break }
        call.cancel()
        let error = await #expect(throws: OfflineODataError.self) { try await call.value }
        #expect(error?.message.contains("do not make it again") == true, "\(error?.message ?? "")")
        #expect(try await provider.requestQueue().map(\.status) == [.sending])
    }

    @Test func throwsWhatTheServiceRefusesButNoConflict() async throws {
        let items = VersionedItems()
        let bench = try await bench(items)
        let refused = try await item(2, bench)
        bench.service.set { request in
            request.method == "PATCH"
                ? LiteralService.json(
                    "{\"error\":{\"code\":\"E\",\"message\":\"no\"}}",
                    status: 400
                )
                : nil
        }
        let error = await #expect(throws: OfflineODataError.self) {
            try await bench.engine.update(refused)
        }
        #expect(error?.httpStatus == 400)
        #expect(try await bench.provider.errorArchive().count == 1)
        try await bench.engine.discardOfflineEdits()
        bench.service.set(items.answer)
        items.change(2) { $0.name = "theirs" }
        #expect(try await bench.engine.update(refused).state == .conflict)
    }

    @Test func refusesChangesBeyondTheMaximumWithAnErrorOfItsOwn() async throws {
        var options = PolicyEngineOptions()
        var configuration = BackendConfiguration()
        configuration.maxStoreSize = 1
        options.configuration = configuration
        let bench = try await bench(VersionedItems(), options)
        bench.network.set(isReachable: false)
        var large = try await item(2, bench)
        try await bench.engine.update(large)
        large["Note"] = .string(String(repeating: "x", count: 1 << 20))
        let tooLarge = large
        let error = await #expect(throws: OfflineODataError.self) {
            try await bench.engine.update(tooLarge)
        }
        #expect(error?.code == .quotaExceeded)
        let kept = try await bench.provider.executeQuery("Items(2)").first
        #expect(kept?["Name"] == "mine")
        #expect(try await bench.provider.requestQueue().count == 1)
    }

    /// A bench without a network whose store has room for one megabyte.
    private func narrowBench() async throws -> PolicyBench {
        var options = PolicyEngineOptions()
        options.configuration = BackendConfiguration()
        options.configuration?.maxStoreSize = 1
        let bench = try await bench(VersionedItems(), options)
        bench.network.set(isReachable: false)
        return bench
    }

    @Test func refusesChangesBeyondTheMaximumWhicheverWayTheyAreMade() async throws {
        let bench = try await narrowBench()
        let provider = bench.provider
        let text = String(repeating: "x", count: 600_000)
        let created = EntityValue(entitySet: "Items", ["ID": 50, "Note": .string(text)])
        try await provider.createEntity(created)
        let second = EntityValue(entitySet: "Items", ["ID": 51, "Note": .string(text)])
        let direct = await #expect(throws: OfflineODataError.self) {
            try await provider.createEntity(second)
        }
        #expect(direct?.code == .quotaExceeded)
        var set = OfflineODataChangeSet()
        set.createEntity(EntityValue(entitySet: "Items", ["ID": 52]))
        set.createEntity(second)
        let changes = set
        let batch = await #expect(throws: OfflineODataError.self) {
            try await provider.processBatch(changes)
        }
        #expect(batch?.code == .quotaExceeded)
        let response = await provider.respond(
            to: HTTPRequest(
                method: "POST",
                url: "Items",
                headers: ["Content-Type": "application/json"],
                body: Array("{\"ID\":53,\"Note\":\"\(text)\"}".utf8)
            )
        )
        #expect(response.status == 507)
        #expect(try await provider.requestQueue().count == 1)
        #expect(try await provider.executeQuery("Items?$filter=ID gt 50").isEmpty)
        // What takes no room is taken, and room that is made is used.
        try await provider.deleteEntity(
            try #require(try await provider.executeQuery("Items(1)").first)
        )
        try await provider.undoPendingChanges("Items(50)")
        try await provider.createEntity(second)
        #expect(try await provider.requestQueue().map(\.method) == ["DELETE", "POST"])
    }

    @Test func refusesEditsOfRequestsBeyondTheMaximum() async throws {
        let bench = try await narrowBench()
        let provider = bench.provider
        let text = String(repeating: "x", count: 600_000)
        try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 50, "Note": .string(text)])
        )
        try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 51, "Note": "short"])
        )
        let request = try #require(try await provider.requestQueue().last)
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.editRequest(request.id, body: "{\"ID\":51,\"Note\":\"\(text)\"}")
        }
        #expect(error?.code == .quotaExceeded)
        #expect(error?.place?.requestID == request.id)
        #expect(try await provider.requestQueue().last?.body == request.body)
        #expect(try await provider.executeQuery("Items(51)").first?["Note"] == "short")
        try await provider.editRequest(request.id, body: #"{"ID":51,"Note":"other"}"#)
        #expect(try await provider.executeQuery("Items(51)").first?["Note"] == "other")
        #expect(try await provider.requestQueue().count == 2)
    }

    /// A change that becomes part of one that waits takes as much room as one of its own.
    @Test func refusesMergedChangesBeyondTheMaximum() async throws {
        var options = PolicyEngineOptions()
        options.configuration = BackendConfiguration()
        options.configuration?.maxStoreSize = 1
        let bench = try await PolicyBench(
            options,
            optimizesQueue: true,
            VersionedItems().answer
        )
        _ = try await bench.engine.read("Items")
        bench.network.set(isReachable: false)
        let provider = bench.provider
        let text = String(repeating: "x", count: 600_000)
        var item = try await item(2, bench)
        item["Name"] = .string(text)
        try await provider.updateEntity(item)
        item["Note"] = .string(text)
        let tooLarge = item
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.updateEntity(tooLarge)
        }
        #expect(error?.code == .quotaExceeded)
        let kept = try #require(try await provider.executeQuery("Items(2)").first)
        #expect(kept["Name"] == .string(text))
        #expect(kept["Note"] == "-")
        item["Note"] = "short"
        try await provider.updateEntity(item)
        let requests = try await provider.requestQueue()
        #expect(requests.count == 1)
        #expect(requests.first?.body?.contains("short") == true)
    }

    /// So does one that corrects a change that the service has refused.
    @Test func refusesCorrectionsBeyondTheMaximum() async throws {
        let bench = try await narrowBench()
        let provider = bench.provider
        bench.network.set(isReachable: true)
        let answer = VersionedItems().answer
        bench.service.set { request in
            request.method == "PATCH"
                ? LiteralService.json("{}", status: 400) : try await answer(request)
        }
        let text = String(repeating: "x", count: 600_000)
        var item = try await item(2, bench)
        item["Name"] = .string(text)
        try await provider.updateEntity(item)
        try await provider.upload()
        let refused = try #require(try await provider.errorArchive().first)
        item["Note"] = .string(text)
        let tooLarge = item
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.updateEntity(tooLarge)
        }
        #expect(error?.code == .quotaExceeded)
        #expect(try await provider.errorArchive().map(\.body) == [refused.body])
        #expect(try await provider.executeQuery("Items(2)").first?["Note"] == "-")
    }

    /// What the service has deleted is created anew with all of its values, which take more room than the change.
    @Test(arguments: [OfflineODataConflictSide.local, .merge(body: "{}")])
    func refusesRecreationsBeyondTheMaximum(_ side: OfflineODataConflictSide) async throws {
        let text = String(repeating: "x", count: 1 << 20)
        let items = VersionedItems()
        items.change(2) { $0.note = text }
        var options = PolicyEngineOptions()
        options.configuration = BackendConfiguration()
        options.configuration?.maxStoreSize = 1
        let bench = try await PolicyBench(queries: ["Items"], options, items.answer)
        bench.network.set(isReachable: false)
        // A small change of a large entity takes little room.
        try await bench.engine.update(item(2, bench))
        items.delete(2)
        try await bench.provider.download()
        let error = await #expect(throws: OfflineODataError.self) {
            try await bench.provider.resolveConflict("Items(2)", with: side)
        }
        #expect(error?.code == .quotaExceeded)
        #expect(try await bench.provider.requestQueue().map(\.method) == ["PATCH"])
        #expect(try await bench.engine.conflicts().map(\.url) == ["Items(2)"])
        #expect(try await bench.provider.executeQuery("Items(2)").first?["Name"] == "mine")
        try await bench.provider.resolveConflict("Items(2)", with: .server)
        #expect(try await bench.provider.requestQueueIsEmpty())
    }

    /// The service notes its own time of what it takes at once; what is synchronised later carries the device's.
    @Test(arguments: [true, false])
    func sendsTimesOfTheDeviceWithASynchronization(_ isOnline: Bool) async throws {
        var options = PolicyEngineOptions()
        options.localTimestamps = LocalTimestamps(created: "Note", modified: "Modified")
        let items = VersionedItems()
        let bench = try await bench(items, options)
        bench.network.set(isReachable: isOnline)
        bench.clock.advance(5)
        try await bench.engine.update(item(2, bench))
        try await bench.engine.create(EntityValue(entitySet: "Items", ["ID": 9, "Name": "nine"]))
        bench.clock.advance(60)
        bench.network.set(isReachable: true)
        try await bench.engine.synchronize()
        let time = isOnline ? "2001-09-09T01:00:00Z" : "2001-09-09T01:46:45Z"
        #expect(items.items[2]?.modified == time)
        #expect(items.items[2]?.note == "-")
        #expect(items.items[9]?.modified == time)
        #expect(items.items[9]?.note.hasPrefix(isOnline ? "-" : "2001-09-09T01:46:45") == true)
    }

    @Test func keepsTimesThatTheApplicationHasGiven() async throws {
        var options = PolicyEngineOptions()
        options.localTimestamps = LocalTimestamps(created: "Note", modified: "Modified")
        let items = VersionedItems()
        let bench = try await bench(items, options)
        bench.network.set(isReachable: false)
        let time = "1999-01-01T00:00:00Z"
        try await bench.engine.create(
            EntityValue(entitySet: "Items", ["ID": 9, "Note": "mine", "Modified": .string(time)])
        )
        bench.network.set(isReachable: true)
        try await bench.engine.synchronize()
        #expect(items.items[9]?.note == "mine")
        #expect(items.items[9]?.modified == time)
    }

    /// So does a change that waits since the service was not reached.
    @Test func sendsTimesOfTheDeviceWhereTheServiceWasNotReached() async throws {
        var options = PolicyEngineOptions()
        options.localTimestamps = LocalTimestamps(modified: "Modified")
        let items = VersionedItems()
        let bench = try await bench(items, options)
        bench.clock.advance(5)
        bench.transport.setFault { _ in .lostBefore }
        #expect(try await bench.engine.update(item(2, bench)).state == .queued)
        bench.transport.setFault { _ in nil }
        bench.clock.advance(60)
        try await bench.engine.synchronize()
        #expect(items.items[2]?.modified == "2001-09-09T01:46:45Z")
        #expect(items.items[2]?.name == "mine")
    }
}
