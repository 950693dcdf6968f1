import OfflineOData
import TestSupport
import Testing

/// Dropping, repeating, editing and moving single requests; corrections and conflicts.
@Suite struct QueueEditingTests {
    @Test func dropsALaterRequestAndKeepsTheEarlierOne() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "once")
        var order = try await store.entity(store.orders[0])
        order["Description"] = "second"
        try await store.provider.updateEntity(order)
        let last = try #require(try await store.requests().last)
        #expect(try await store.provider.dropRequest(last) == [last])
        order = try await store.entity(store.orders[0])
        #expect(order["Title"]?.stringValue == "once")
        #expect(order["Description"]?.stringValue == nil)
        #expect(order.hasPendingChanges)
    }

    @Test func discardsOneErrorAndLeavesTheOther() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "wrong")
        try await store.retitle(store.orders[1], "wrong")
        store.refuse("wrong")
        #expect(try await store.provider.upload().failedCount == 2)
        let first = try #require(try await store.requests().first)
        try await store.provider.discardError(first)
        #expect(try await store.text(store.orders[0], "Title") == "First")
        #expect(try await !store.entity(store.orders[0]).inErrorState)
        #expect(try await store.text(store.orders[1], "Title") == "wrong")
        #expect(try await store.entity(store.orders[1]).inErrorState)
        try await store.provider.discardAllErrors()
        #expect(try await store.text(store.orders[1], "Title") == "Second")
        #expect(try await store.requests().isEmpty)
    }

    private static let part = EntityValue(
        entitySet: "Parts",
        ["Number": "P7", "Name": "mine", "UnitPrice": 2, "InStock": 1]
    )

    /// A store of parts, whose keys clients choose; the service has none yet.
    private static func parts(in directory: TemporaryDirectory) async throws -> (
        SampleService, OfflineODataProvider
    ) {
        let service = try await SampleService(sets: [])
        let provider = try service.provider(directory)
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Parts", query: "Parts"))
        try await provider.open()
        return (service, provider)
    }

    /// Somebody else was first to create an entity with this key; nothing else was ever changed here.
    @Test func insistsOnACreationThatMetAnother() async throws {
        let directory = try TemporaryDirectory()
        let (service, provider) = try await Self.parts(in: directory)
        let theirs = #"{"Number":"P7","Name":"theirs","UnitPrice":1,"InStock":5}"#
        #expect(await service.change("POST", "Parts", theirs).isSuccess)
        try await provider.createEntity(Self.part)
        #expect(try await provider.upload().failedCount == 1)
        try await provider.download()
        try await provider.resolveConflict("Parts('P7')", with: .local)
        #expect(try await provider.requestQueue().map(\.status) == [.pending])
        #expect(try await provider.errorArchive().isEmpty)
        let part = try await provider.executeQuery("Parts('P7')").first
        #expect(part?["Name"]?.stringValue == "mine")
        #expect(try await provider.upload().succeededCount == 1)
        let answer = String(decoding: await service.get("Parts('P7')").body, as: UTF8.self)
        #expect(answer.contains("mine"))
    }

    @Test func refusesToDiscardWhatIsNoError() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "once")
        let id = try #require(try await store.requests().first)
        await #expect(throws: OfflineODataError.self) { try await store.provider.discardError(id) }
        await #expect(throws: OfflineODataError.self) { try await store.provider.retryRequest(id) }
        await #expect(throws: OfflineODataError.self) { try await store.provider.dropRequest(99) }
    }

    @Test func retriesUnderANewIdentityWithWhatWaited() async throws {
        let store = try await SmallStore()
        let order = try await store.provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "wrong"])
        )
        try await store.provider.createRelatedEntity(
            EntityValue(entitySet: "Tasks", ["Title": "Child"]),
            in: order,
            property: "Tasks"
        )
        store.refuse("wrong")
        try await store.provider.upload()
        let failed = try #require(try await store.provider.errorArchive().first)
        store.rules.refuse(nil)
        try await store.provider.retryRequest(failed.id)
        let waiting = try await store.provider.requestQueue()
        #expect(waiting.map(\.status) == [.pending, .pending])
        #expect(waiting.first?.unit == nil)
        #expect(try await store.provider.upload().succeededCount == 2)
        #expect(try await store.provider.executeQuery((order.readLink ?? "") + "/Tasks").count == 1)
    }

    @Test func editsAnUpdateAndTheEntity() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "once")
        let id = try #require(try await store.requests().first)
        try await store.provider.editRequest(id, body: #"{"Description":"instead"}"#)
        let order = try await store.entity(store.orders[0])
        #expect(order["Title"]?.stringValue == "First")
        #expect(order["Description"]?.stringValue == "instead")
        #expect(try await store.provider.upload().succeededCount == 1)
        let answer = await store.service.get(store.orders[0])
        #expect(String(decoding: answer.body, as: UTF8.self).contains("instead"))
    }

    @Test func editsARefusedCreateWithLaterChanges() async throws {
        let store = try await SmallStore()
        let order = try await store.provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "wrong", "Description": "old"])
        )
        let link = try #require(order.readLink)
        store.refuse("wrong")
        try await store.provider.upload()
        let failed = try #require(try await store.provider.errorArchive().first)
        try await store.provider.editRequest(failed.id, body: #"{"Title":"right"}"#)
        let edited = try await store.entity(link)
        #expect(edited["Title"]?.stringValue == "right")
        #expect(edited["Description"]?.stringValue == nil)
        #expect(!edited.inErrorState && edited.hasPendingChanges)
        #expect(try await store.provider.upload().succeededCount == 1)
    }

    @Test func refusesABodyThatIsNone() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "once")
        let id = try #require(try await store.requests().first)
        await #expect(throws: OfflineODataError.self) {
            try await store.provider.editRequest(id, body: "{\"Title\":")
        }
        #expect(try await store.text(store.orders[0], "Title") == "once")
    }

    @Test func movesWithinWhatDependenciesAllow() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "a")
        try await store.retitle(store.orders[1], "b")
        try await store.retitle(store.orders[1], "c")
        let ids = try await store.requests()
        try await store.provider.moveRequest(ids[0], after: ids[2])
        #expect(try await store.provider.requestQueue().map(\.id) == [ids[1], ids[2], ids[0]])
        await #expect(throws: OfflineODataError.self) {
            try await store.provider.moveRequest(ids[2], before: ids[1])
        }
        #expect(try await store.provider.requestQueue().map(\.id) == [ids[1], ids[2], ids[0]])
    }

    @Test func sendsTheCorrectedStateAfterARefusal() async throws {
        let store = try await SmallStore()
        var order = try await store.entity(store.orders[0])
        order["Title"] = "wrong"
        order["Description"] = "kept"
        try await store.provider.updateEntity(order)
        store.refuse("wrong")
        try await store.provider.upload()
        let failed = try #require(try await store.provider.errorArchive().first)
        try await store.retitle(store.orders[0], "right")
        let waiting = try await store.provider.requestQueue()
        #expect(waiting.map(\.id) == [failed.id])
        #expect(waiting.first?.unit == nil)
        #expect(try await !store.entity(store.orders[0]).inErrorState)
        #expect(try await store.provider.upload().succeededCount == 1)
        let answer = String(
            decoding: await store.service.get(store.orders[0]).body,
            as: UTF8.self
        )
        #expect(answer.contains("right") && answer.contains("kept"))
        #expect(try await store.requests().isEmpty)
    }

    @Test func deletesAnEntityWhoseCreationWasRefused() async throws {
        let store = try await SmallStore()
        let order = try await store.provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "wrong"])
        )
        store.refuse("wrong")
        try await store.provider.upload()
        try await store.provider.deleteEntity(store.entity(order.readLink ?? ""))
        #expect(try await store.requests().isEmpty)
        #expect(try await store.provider.executeQuery("WorkOrders").count == 2)
    }

    /// A creation whose new body names no key keeps the one that it was given here.
    @Test func keepsTheKeyOfAnEditedCreation() async throws {
        let directory = try TemporaryDirectory()
        let (_, provider) = try await Self.parts(in: directory)
        try await provider.createEntity(Self.part)
        let id = try #require(try await provider.requestQueue().first?.id)
        try await provider.editRequest(id, body: #"{"Name":"edited","UnitPrice":3,"InStock":1}"#)
        let body = try #require(try await provider.requestQueue().first?.body)
        #expect(body.contains(#""Number":"P7""#), "\(body)")
        #expect(try await provider.upload().succeededCount == 1)
        let part = try await provider.executeQuery("Parts('P7')").first
        #expect(part?["Name"]?.stringValue == "edited")
    }

    /// Of an entity that was created here a deletion is one as well.
    @Test func saysThatNothingCanBeMergedWithADeletion() async throws {
        let directory = try TemporaryDirectory()
        let (service, provider) = try await Self.parts(in: directory)
        try await provider.createEntity(Self.part)
        #expect(try await provider.upload().succeededCount == 1)
        let part = try #require(try await provider.executeQuery("Parts('P7')").first)
        try await provider.deleteEntity(part)
        let theirs = await service.change(
            "PATCH",
            "Parts('P7')",
            #"{"Name":"theirs"}"#,
            ["If-Match": "*"]
        )
        #expect(theirs.isSuccess)
        #expect(try await provider.upload().failedCount == 1)

        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.resolveConflict("Parts('P7')", with: .merge(body: #"{"Name":"x"}"#))
        }
        #expect(
            error?.message.hasPrefix("the entity is deleted here, so that nothing") == true,
            "\(String(describing: error))"
        )
        try await provider.resolveConflict("Parts('P7')", with: .server)
        let back = try await provider.executeQuery("Parts('P7')").first
        #expect(back?["Name"]?.stringValue == "theirs")
    }

    @Test(arguments: ["local", "server", "merge"])
    func resolvesAConflict(_ name: String) async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "here")
        _ = await store.service.change(
            "PATCH",
            store.orders[0],
            #"{"Title":"there","Description":"new"}"#,
            ["If-Match": "*"]
        )
        #expect(try await store.provider.upload().failedCount == 1)
        let side: OfflineODataConflictSide =
            switch name {
            case "local": .local
            case "server": .server
            default: .merge(body: #"{"Title":"both"}"#)
            }
        try await store.provider.resolveConflict(store.orders[0], with: side)
        let title = ["local": "here", "server": "there"][name] ?? "both"
        let order = try await store.entity(store.orders[0])
        #expect(order["Title"]?.stringValue == title)
        #expect(order["Description"]?.stringValue == "new")
        #expect(!order.hasConflict && !order.inErrorState)
        #expect(try await store.provider.errorArchive().isEmpty)
        #expect(try await store.provider.upload().failedCount == 0)
        let answer = String(
            decoding: await store.service.get(store.orders[0]).body,
            as: UTF8.self
        )
        #expect(answer.contains("\"Title\":\"\(title)\""))
        if name == "server" {
            #expect(try await store.provider.eventLog().contains { $0.type == "Conflict" })
        }
        await #expect(throws: OfflineODataError.self) {
            try await store.provider.resolveConflict(store.orders[0], with: .local)
        }
    }
}
