import OfflineOData
import TestSupport
import Testing

/// Taking back local changes, in every state.
@Suite struct UndoTests {
    @Test func restoresAChangedEntity() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "once")
        try await store.retitle(store.orders[0], "twice")
        #expect(try await store.provider.undoPendingChanges(store.orders[0]) == 2)
        let order = try await store.entity(store.orders[0])
        #expect(order["Title"]?.stringValue == "First")
        #expect(!order.isLocal && !order.hasPendingChanges)
        #expect(try await store.provider.requestQueueIsEmpty())
    }

    @Test func removesACreatedEntityWithWhatDependsOnIt() async throws {
        let store = try await SmallStore()
        let order = try await store.provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "New"])
        )
        let task = try await store.provider.createRelatedEntity(
            EntityValue(entitySet: "Tasks", ["Title": "Child"]),
            in: order,
            property: "Tasks"
        )
        try await store.provider.createLink(
            from: store.entity("Parts('P2')"),
            property: "WorkOrders",
            to: order
        )
        try await store.provider.createLink(
            from: order,
            property: "RequiredParts",
            to: store.entity("Parts('P3')")
        )
        let link = try #require(order.readLink)
        #expect(try await store.parts(link) == ["P2", "P3"])

        #expect(try await store.provider.undoPendingChanges(of: order) == 4)
        #expect(try await store.provider.executeQuery(link).isEmpty)
        #expect(try await store.provider.executeQuery(task.readLink ?? "").isEmpty)
        #expect(try await store.provider.executeQuery("Parts('P2')/WorkOrders").isEmpty)
        #expect(try await store.entity("Parts('P2')").hasPendingChanges == false)
    }

    @Test func bringsADeletedContainedEntityBackWithItsParent() async throws {
        let shop = try await Workshop()
        #expect(await shop.send("POST", "People(2)/Notes", #"{"Number":7}"#).status == 201)
        try await shop.provider.upload()
        try await shop.provider.download()
        #expect(await shop.send("DELETE", "People(2)/Notes(7)").status == 204)
        try await shop.provider.download()
        #expect(await shop.send("DELETE", "People(2)").status == 204)
        #expect(try await shop.provider.undoPendingChanges("People(2)/Notes(7)") == 2)
        #expect(await shop.send("GET", "People(2)/Notes(7)").status == 200)
        #expect(try await shop.provider.requestQueueIsEmpty())
    }

    @Test(arguments: [1, 2])
    func tellsContainedEntitiesOfOneKeyApart(_ deleted: Int) async throws {
        let shop = try await Workshop()
        for person in [1, 2] {
            let answer = await shop.send("POST", "People(\(person))/Notes", #"{"Number":7}"#)
            #expect(answer.status == 201)
        }
        try await shop.provider.upload()
        try await shop.provider.download()
        let (gone, changed) = ("People(\(deleted))/Notes(7)", "People(\(3 - deleted))/Notes(7)")
        #expect(await shop.send("PATCH", changed, #"{"Text":"t"}"#).status == 204)
        #expect(await shop.send("DELETE", gone).status == 204)
        #expect(try await shop.provider.undoPendingChanges(gone) == 1)
        #expect(await shop.send("GET", gone).status == 200)
        #expect(await shop.value(changed + "/Text") == "t")
    }

    @Test func bringsADeletedEntityBackWithTheOneThatWouldTakeItAlong() async throws {
        let store = try await SmallStore()
        try await store.provider.deleteEntity(store.entity(store.task))
        try await store.provider.deleteEntity(store.entity(store.orders[0]))
        #expect(try await store.provider.undoPendingChanges(store.task) == 2)
        #expect(try await store.text(store.task, "Title") == "Look")
        #expect(try await store.text(store.orders[0], "Title") == "First")
        #expect(try await store.provider.requestQueueIsEmpty())
    }

    @Test(arguments: [true, false])
    func leavesOneTargetWhereADeletedOneComesBack(_ setsAnother: Bool) async throws {
        let shop = try await Workshop()
        let first = #"{"@odata.id":"People(3)"}"#
        #expect(await shop.send("PUT", "People(2)/Rival/$ref", first).status == 204)
        try await shop.provider.upload()
        try await shop.provider.download()
        #expect(await shop.value("People(2)/Rival/ID") == "3")
        #expect(await shop.send("DELETE", "People(3)").status == 204)
        let other = #"{"@odata.id":"People(1)"}"#
        let answer =
            setsAnother
            ? await shop.send("PUT", "People(2)/Rival/$ref", other)
            : await shop.send("DELETE", "People(2)/Rival/$ref")
        #expect(answer.status == 204)
        try await shop.provider.undoPendingChanges("People(3)")
        #expect(await shop.value("People(2)/Rival/ID") == "3")
        let links = try await shop.provider.executeQuery(
            "People?$filter=Rival ne null&$expand=Rival"
        )
        #expect(links.filter { $0["ID"]?.integerValue == 2 }.count == 1)
        #expect(try await shop.provider.requestQueueIsEmpty())
    }

    @Test func bringsADeletedEntityBackWithItsLinksAndChildren() async throws {
        let store = try await SmallStore()
        try await store.provider.deleteEntity(store.entity(store.orders[0]))
        #expect(try await store.provider.executeQuery(store.orders[0]).isEmpty)
        #expect(try await store.provider.executeQuery(store.task).isEmpty)

        try await store.provider.undoPendingChanges(store.orders[0])
        #expect(try await store.text(store.orders[0], "Title") == "First")
        #expect(try await store.parts(store.orders[0]) == ["P1"])
        #expect(try await store.text(store.task, "Title") == "Look")
        #expect(try await store.entity(store.task).isLocal == false)
    }

    @Test func revertsLinksInBothDirections() async throws {
        let store = try await SmallStore()
        let order = try await store.entity(store.orders[0])
        try await store.provider.createLink(
            from: order,
            property: "RequiredParts",
            to: store.entity("Parts('P2')")
        )
        try await store.provider.deleteLink(
            from: order,
            property: "RequiredParts",
            to: store.entity("Parts('P1')")
        )
        #expect(try await store.parts(store.orders[0]) == ["P2"])
        try await store.provider.undoPendingChanges(of: order)
        #expect(try await store.parts(store.orders[0]) == ["P1"])
    }

    @Test func worksForRefusedAndParkedRequests() async throws {
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
        #expect(try await store.provider.upload().failedCount == 1)
        #expect(try await store.provider.requestQueue().map(\.status) == [.parked])

        #expect(try await store.provider.undoPendingChanges(of: order) == 2)
        #expect(try await store.requests().isEmpty)
        #expect(try await store.provider.executeQuery("WorkOrders").count == 2)
        #expect(try await store.provider.executeQuery("Tasks").count == 1)
    }

    @Test func takesTheServersVersionWhereItIsNewer() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "here")
        let there = await store.service.change(
            "PATCH",
            store.orders[0],
            #"{"Title":"there"}"#,
            ["If-Match": "*"]
        )
        #expect(there.isSuccess)
        try await store.provider.download()
        #expect(try await store.text(store.orders[0], "Title") == "here")
        #expect(try await store.entity(store.orders[0]).hasConflict)

        try await store.provider.undoPendingChanges(store.orders[0])
        let order = try await store.entity(store.orders[0])
        #expect(order["Title"]?.stringValue == "there")
        #expect(!order.hasConflict)
        // The ETag is the service's present one: the next change goes through.
        try await store.retitle(store.orders[0], "after")
        #expect(try await store.provider.upload().succeededCount == 1)
    }

    @Test func removesAnEntityThatTheServiceHasDeleted() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[1], "here")
        _ = await store.service.change("DELETE", store.orders[1], "", ["If-Match": "*"])
        try await store.provider.download()
        #expect(try await store.entity(store.orders[1]).hasConflict)
        try await store.provider.undoPendingChanges(store.orders[1])
        #expect(try await store.provider.executeQuery(store.orders[1]).isEmpty)
    }

    @Test func takesEverythingBack() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "here")
        try await store.provider.deleteEntity(store.entity(store.task))
        try await store.provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "New"])
        )
        #expect(try await store.provider.undoAllPendingChanges() == 3)
        #expect(try await store.text(store.orders[0], "Title") == "First")
        #expect(try await store.text(store.task, "Title") == "Look")
        #expect(try await store.provider.executeQuery("WorkOrders").count == 2)
    }

    @Test func refusesRequestsOnTheirWay() async throws {
        let store = try await SmallStore()
        try await store.retitle(store.orders[0], "here")
        store.transport.setFault { $0.url.hasSuffix("$batch") ? .lostAfter : nil }
        await #expect(throws: OfflineODataError.self) { try await store.provider.upload() }
        #expect(try await store.provider.requestQueue().map(\.status) == [.sending])
        await #expect(throws: OfflineODataError.self) {
            try await store.provider.undoPendingChanges(store.orders[0])
        }
        #expect(try await store.text(store.orders[0], "Title") == "here")
    }

    @Test func wantsConsentWhereTheOutcomeIsUnknown() async throws {
        let store = try await SmallStore()
        let order = try await store.provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "once"])
        )
        store.transport.setFault { $0.url.hasSuffix("$batch") ? .lostAfter : nil }
        await #expect(throws: OfflineODataError.self) { try await store.provider.upload() }
        store.transport.setFault(nil)
        #expect(try await store.provider.upload().unknownCount == 1)
        let link = try #require(order.readLink)
        await #expect(throws: OfflineODataError.self) {
            try await store.provider.undoPendingChanges(link)
        }
        #expect(
            try await store.provider.undoPendingChanges(link, includingUnknownOutcome: true) == 1
        )
        #expect(try await store.provider.executeQuery(link).isEmpty)
    }

    /// A part to which another order has led before is looked at by the download: a link that a deletion hides still holds it.
    @Test(arguments: [false, true])
    func bringsUploadedLinksBackWithADeletedEntity(hasLedElsewhere: Bool) async throws {
        let store = try await SmallStore()
        let provider = store.provider
        try await provider.createEntity(
            EntityValue(
                entitySet: "Parts",
                ["Number": "P9", "Name": "Part", "UnitPrice": 1, "InStock": 5]
            )
        )
        let part = try #require(try await provider.executeQuery("Parts('P9')").first)
        let other = try #require(try await provider.executeQuery(store.orders[1]).first)
        if hasLedElsewhere {
            try await provider.createLink(from: other, property: "RequiredParts", to: part)
            try await provider.deleteLink(from: other, property: "RequiredParts", to: part)
        }
        let created = try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "Third"])
        )
        try await provider.createLink(from: created, property: "RequiredParts", to: part)
        try await provider.upload()
        let url = try #require(created.readLink)
        #expect(try await store.parts(url) == ["P9"])
        try await provider.deleteEntity(created)
        try await provider.download()
        try await provider.undoAllPendingChanges()
        #expect(try await store.parts(url) == ["P9"])
    }

    /// The former target comes back where its deletion is taken back, and the later one goes: there are never two.
    @Test func keepsOneTargetWhereTheFormerOneComesBack() async throws {
        let shop = try await Workshop()
        for (method, url, body) in [
            ("POST", "People", #"{"ID":71,"Name":"a"}"#),
            ("POST", "People", #"{"ID":72,"Name":"b"}"#),
            ("PUT", "People(1)/Rival/$ref", #"{"@odata.id":"People(71)"}"#),
            ("DELETE", "People(71)", nil),
            ("PUT", "People(1)/Rival/$ref", #"{"@odata.id":"People(72)"}"#),
        ] as [(String, String, String?)] {
            #expect(await shop.send(method, url, body).isSuccess)
        }
        #expect(await shop.value("People(1)/Rival/ID") == "72")
        let last = try await shop.provider.requestQueue().map(\.id).suffix(2)
        let deletion = try #require(last.first)
        #expect(try await shop.provider.dropRequest(deletion) == Array(last))
        #expect(await shop.value("People(1)/Rival/ID") == "71")
        try await shop.provider.undoAllPendingChanges()
        let none = await shop.send("GET", "People(1)/Rival")
        #expect(none.status == 204)
    }

    /// A change keeps what its query brought; when it is taken back the entity goes with the query.
    @Test func removesWithAChangeWhatARemovedQueryHadBrought() async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        service.set("GET Tags", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders", "Tags"])
        try await provider.send("PATCH", "Orders(1)", #"{"Title":"b"}"#)
        try await provider.removeDefiningQuery(named: "Q0")
        #expect(try await provider.executeQuery("Orders").count == 1)
        try await provider.undoAllPendingChanges()
        #expect(try await provider.executeQuery("Orders").isEmpty)
    }
}
