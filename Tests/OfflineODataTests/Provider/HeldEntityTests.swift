import ODataHTTP
import Testing

@testable import OfflineProvider
@testable import OfflineValues
@testable import OfflineOData

/// An application holds an entity while others change it: a form on a screen, over several synchronisations.
@Suite struct HeldEntityTests {
    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        Self.set(service, etag: 1, #""Title":"a","Note":"n""#)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("PATCH Orders(1)", HTTPResponse(status: 204, headers: ["ETag": "\"9\""]))
        service.set("PUT Orders(1)", HTTPResponse(status: 204, headers: ["ETag": "\"9\""]))
        return (service, try await service.opened(["Orders"]))
    }

    private static func set(_ service: RecordedService, etag: Int, _ members: String) {
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"\"\#(etag)\"","ID":1,\#(members)}]}"#
            )
        )
    }

    private func held(_ provider: OfflineODataProvider) async throws -> EntityValue {
        try #require(try await provider.executeQuery("Orders(1)").first)
    }

    @Test func sendsOnlyWhatWasSetSinceItWasRead() async throws {
        let (service, provider) = try await opened()
        var order = try await held(provider)
        Self.set(service, etag: 2, #""Title":"a","Note":"theirs""#)
        try await provider.download()
        order["Title"] = "mine"
        try await provider.updateEntity(order)
        try await provider.upload()
        #expect(service.bodies(of: "PATCH Orders(1)") == [#"{"Title":"mine"}"#])
        #expect(service.log.last?.headers["If-Match"] == "\"2\"")
        #expect(try await held(provider)["Note"] == "theirs")
    }

    @Test func replacesWithWhatOthersHaveChanged() async throws {
        let (service, provider) = try await opened()
        var order = try await held(provider)
        Self.set(service, etag: 2, #""Title":"a","Note":"theirs""#)
        try await provider.download()
        order["Title"] = "mine"
        let options = OfflineODataRequestOptions()
        options.updateMode = .replace
        try await provider.updateEntity(order, options: options)
        try await provider.upload()
        #expect(
            service.bodies(of: "PUT Orders(1)") == [#"{"ID":1,"Title":"mine","Note":"theirs"}"#]
        )
    }

    /// Whoever holds the entity has not seen what would be written over.
    @Test func refusesToWriteOverANewerValue() async throws {
        let (service, provider) = try await opened()
        var order = try await held(provider)
        Self.set(service, etag: 2, #""Title":"theirs","Note":"n""#)
        try await provider.download()
        order["Title"] = "mine"
        let stale = order
        let error = await #expect(throws: OfflineODataError.self) {
            try await provider.updateEntity(stale)
        }
        #expect(error?.code == .changedMeanwhile)
        #expect(error?.message.hasPrefix("Title was changed at the service") == true)
        #expect(try await provider.requestQueueIsEmpty())
        // Read again, it can be changed; and what both have set alike is no question.
        order["Title"] = "theirs"
        try await provider.updateEntity(order)
        #expect(try await provider.requestQueueIsEmpty())
        order = try await held(provider)
        order["Title"] = "mine"
        try await provider.updateEntity(order)
        #expect(try await provider.requestQueue().count == 1)
    }

    @Test func goesOnWithTheEntityThatItHasChangedBefore() async throws {
        let (service, provider) = try await opened()
        var order = try await held(provider)
        order["Title"] = "b"
        try await provider.updateEntity(order)
        try await provider.upload()
        Self.set(service, etag: 9, #""Title":"b","Note":"n""#)
        try await provider.download()
        order["Title"] = "c"
        try await provider.updateEntity(order)
        // Back to what was read at first, which is a change by now.
        order["Title"] = "a"
        try await provider.updateEntity(order)
        #expect(
            try await provider.requestQueue().map(\.body)
                == [#"{"Title":"c"}"#, #"{"Title":"a"}"#]
        )
    }

    /// The link under which it was created is none of the values that the service has another one of.
    @Test func goesOnWithAnEntityThatTheServiceNamesAnew() async throws {
        let (service, provider) = try await opened()
        var order = try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["Title": "b"])
        )
        service.set("POST Orders", RecordedService.json(#"{"ID":7,"Title":"b"}"#, status: 201))
        try await provider.upload()
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"\"5\"","@odata.readLink":"Own(7)","ID":7,"Title":"b"}]}"#
            )
        )
        try await provider.download()
        order.readLink = "Orders(7)"
        order["Title"] = "c"
        try await provider.updateEntity(order)
        #expect(try await provider.requestQueue().map(\.body) == [#"{"Title":"c"}"#])
    }

    @Test func writesOverItsOwnChangesThatWait() async throws {
        let (_, provider) = try await opened()
        var (first, second) = (try await held(provider), try await held(provider))
        first["Title"] = "b"
        try await provider.updateEntity(first)
        second["Title"] = "c"
        try await provider.updateEntity(second)
        #expect(try await held(provider)["Title"] == "c")
    }

    private struct Notes: Encodable { var Note: String }

    @Test func takesFromAValueWhatTheValueHas() async throws {
        let (_, provider) = try await opened()
        var (first, second) = (try await held(provider), try await held(provider))
        first["Title"] = "b"
        try await provider.updateEntity(first)
        try await provider.update(second, with: Notes(Note: "m"))
        second = try await held(provider)
        #expect([second["Title"], second["Note"]] == ["b", "m"])
        #expect(try await provider.requestQueue().last?.body == #"{"Note":"m"}"#)
    }

    // MARK: Links

    @Test(
        arguments: [
            "Orders(1)", "Orders?$filter=ID eq 1", "Orders?$select=ID", "Orders?$orderby=Title",
            "Orders?$compute=ID add 1 as Next&$select=ID,Next", "Orders?$expand=Items",
        ]
    )
    func knowsItsReadLink(_ url: String) async throws {
        let (_, provider) = try await opened()
        var order = try #require(try await provider.executeQuery(url).first)
        #expect(order.readLink == "Orders(1)")
        order["Title"] = "b"
        #expect(order.readLink == "Orders(1)")
        #expect(order.description.hasPrefix("Orders(1) {"))
        #expect(order.description.contains(#""ID":1,"#))
    }

    /// Before the upload the link is one of the store, then the service's.
    @Test func hasAReadLinkAfterTheUploadToo() async throws {
        let (service, provider) = try await opened()
        let created = try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["Title": "new"])
        )
        #expect(created.readLink?.hasPrefix("Orders($local=") == true)
        service.set("POST Orders", RecordedService.json(#"{"ID":7,"Title":"new"}"#, status: 201))
        try await provider.upload()
        let sent = try await provider.executeQuery("Orders?$filter=Title eq 'new'").first
        #expect(sent?.readLink == "Orders(7)")
        #expect(sent?.id == created.id)
    }
}
