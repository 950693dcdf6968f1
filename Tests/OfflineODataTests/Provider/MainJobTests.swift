import OfflineOData
import OfflineStore
import TestSupport
import Testing

/// The main job, step by step, against the sample service in this process.
@Suite struct MainJobTests {
    private func openedProvider(
        _ service: SampleService,
        _ directory: TemporaryDirectory
    ) async throws -> OfflineODataProvider {
        let provider = try service.provider(directory)
        for (name, query) in [
            ("Orders", "WorkOrders"), ("Tasks", "Tasks"),
            ("Parts", "Parts?$expand=WorkOrders($select=ID)"),
            ("Customers", "Customers?$expand=Contacts"), ("TimeEntries", "TimeEntries"),
        ] {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: name, query: query))
        }
        try await provider.open()
        return provider
    }

    @Test func loadsAndAnswersOffline() async throws {
        let service = try await SampleService()
        let directory = try TemporaryDirectory()
        let provider = try await openedProvider(service, directory)
        service.transport.setFault { _ in .lostBefore }

        let orders = try await provider.executeQuery(
            "WorkOrders?$filter=Status eq 'Open'&$expand=Tasks&$orderby=ID desc&$top=5"
        )
        #expect(orders.count == 5)
        #expect(orders.allSatisfy { $0["Tasks"]?.items != nil })
        #expect(try await provider.executeQuery("WorkOrders").count == 1500)
        #expect(try await provider.executeQuery("Customers?$filter=Contacts/any()").count > 0)
        #expect(try await provider.executeQuery("Parts?$filter=WorkOrders/any()").count > 0)
    }

    @Test func uploadsAParentAndItsChildWithoutKeys() async throws {
        let service = try await SampleService()
        let directory = try TemporaryDirectory()
        let provider = try await openedProvider(service, directory)

        let order = try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "New pump", "Priority": "High"])
        )
        #expect(order["ID"] == nil)
        #expect(order.isLocal)
        let task = try await provider.createRelatedEntity(
            EntityValue(entitySet: "Tasks", ["Title": "Drain the old one", "Position": 1]),
            in: order,
            property: "Tasks"
        )
        let link = try #require(order.readLink)
        let children = try await provider.executeQuery(link + "/Tasks")
        #expect(children.count == 1)
        #expect(try await provider.requestQueue().count == 2)

        let result = try await provider.upload()
        #expect(result.succeededCount == 2)
        #expect(try await provider.requestQueueIsEmpty())
        let uploaded = try #require(try await provider.executeQuery(link).first)
        let id = try #require(uploaded["ID"]?.integerValue)
        let taskLink = try #require(task.readLink)
        let child = try #require(try await provider.executeQuery(taskLink).first)
        #expect(child["WorkOrderID"]?.integerValue == id)
        let answer = await service.get("WorkOrders(\(id))/Tasks/$count")
        #expect(String(decoding: answer.body, as: UTF8.self) == "1")

        try await provider.download()
        let known = try #require(try await provider.executeQuery("WorkOrders(\(id))").first)
        #expect(!known.isLocal)
        #expect(try await provider.executeQuery("WorkOrders(\(id))/Tasks").count == 1)
    }

    @Test func archivesARefusedUpdateWithTheServersCopy() async throws {
        let service = try await SampleService()
        let directory = try TemporaryDirectory()
        let provider = try await openedProvider(service, directory)
        var order = try #require(try await provider.executeQuery("WorkOrders?$top=1").first)
        let id = try #require(order["ID"]?.integerValue)
        order["Title"] = "changed here"
        try await provider.updateEntity(order)
        let etag = try #require(order.etag)
        let other = await service.change(
            "PATCH",
            "WorkOrders(\(id))",
            #"{"Title":"changed there"}"#,
            ["If-Match": etag]
        )
        #expect(other.isSuccess)

        let result = try await provider.upload()
        #expect(result.failedCount == 1)
        let archived = try #require(try await provider.errorArchive().first)
        #expect(archived.failure?.httpStatus == 412)
        let conflict = try await provider.versions(of: "WorkOrders(\(id))")
        #expect(conflict.changedProperties == ["Title"])
        #expect(conflict.server?.contains("changed there") == true)
        #expect(conflict.local?.contains("changed here") == true)
        let state = try #require(try await provider.executeQuery("WorkOrders(\(id))").first)
        #expect(state.inErrorState && state.hasConflict)
    }

    @Test func removesACreatedEntityAfterItsUpload() async throws {
        let service = try await SampleService()
        let directory = try TemporaryDirectory()
        let provider = try await openedProvider(service, directory)
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = true
        let entry = try await provider.createEntity(
            EntityValue(entitySet: "WorkOrders", ["Title": "Only for the office"]),
            options: options
        )
        let link = try #require(entry.readLink)
        #expect(try await provider.executeQuery(link).count == 1)

        try await provider.upload()
        #expect(try await provider.executeQuery(link).isEmpty)
        let answer = await provider.respond(to: .init(method: "GET", url: link))
        #expect(answer.status == 404)
        #expect(
            try await provider.executeQuery("WorkOrders?$filter=Title eq 'Only for the office'")
                .isEmpty
        )
    }

    @Test func bringsChangesOfOthersByDelta() async throws {
        let service = try await SampleService()
        let directory = try TemporaryDirectory()
        let provider = try await openedProvider(service, directory)
        let first = try await provider.executeQuery("Tasks?$top=2&$orderby=ID")
        let ids = first.compactMap { $0["ID"]?.integerValue }
        _ = await service.change(
            "PATCH",
            "Tasks(\(ids[0]))",
            #"{"Title":"renamed"}"#,
            ["If-Match": "*"]
        )
        _ = await service.change("DELETE", "Tasks(\(ids[1]))", "", ["If-Match": "*"])

        try await provider.download()
        #expect(
            try await provider.executeQuery("Tasks(\(ids[0]))").first?["Title"]?.stringValue
                == "renamed"
        )
        #expect(try await provider.executeQuery("Tasks(\(ids[1]))").isEmpty)
    }
}
