import OfflineOData
import ODataHTTP
import Testing

/// Entities with local changes that a full read does not bring any more: deleted, or only outside of the query by now.
@Suite struct AbsentEntityTests {
    private static let query = "Orders?$filter=Note%20eq%20'open'"

    /// A store with one order, changed here, that has left the filter.
    private func left(_ answer: HTTPResponse, deleting: Bool = false) async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET " + Self.query,
            RecordedService.json(
                #"{"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a","Note":"open"}]}"#
            )
        )
        let provider = try await service.opened(["Orders?$filter=Note eq 'open'"])
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        if deleting {
            try await provider.deleteEntity(order)
        } else {
            order["Title"] = "mine"
            try await provider.updateEntity(order)
        }
        service.set("GET " + Self.query, RecordedService.json(#"{"value":[]}"#))
        service.set("GET Orders(1)", answer)
        try await provider.download()
        return (service, provider)
    }

    private static let moved = RecordedService.json(
        #"{"@odata.etag":"\"2\"","ID":1,"Title":"theirs","Note":"done"}"#
    )

    private func order(_ provider: OfflineODataProvider) async throws -> EntityValue {
        try #require(try await provider.executeQuery("Orders(1)").first)
    }

    @Test func knowsTheVersionOfAnEntityThatLeftTheFilter() async throws {
        let (service, provider) = try await left(Self.moved)
        #expect(try await order(provider).hasConflict)
        let conflict = try await provider.conflict(for: "Orders(1)")
        #expect(conflict.server?["Title"]?.stringValue == "theirs")
        try await provider.resolveConflict("Orders(1)", with: .local)
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        let sent = try #require(service.log.last { $0.method == "PATCH" })
        #expect(sent.headers["If-Match"] == "\"2\"")
    }

    @Test func takesTheServicesVersionOfAnEntityThatLeftTheFilter() async throws {
        let (_, provider) = try await left(Self.moved)
        try await provider.resolveConflict("Orders(1)", with: .server)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await order(provider)["Title"]?.stringValue == "theirs")
        // No query holds it any more.
        try await provider.download()
        #expect(try await provider.executeQuery("Orders").isEmpty)
    }

    /// Another ETag over the same values is no conflict, and the next update goes with it.
    @Test func isNoConflictWhereTheValuesAreTheSame() async throws {
        let (service, provider) = try await left(
            RecordedService.json(#"{"@odata.etag":"\"3\"","ID":1,"Title":"a","Note":"open"}"#)
        )
        #expect(try await order(provider).hasConflict == false)
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        let sent = try #require(service.log.last { $0.method == "PATCH" })
        #expect(sent.headers["If-Match"] == "\"3\"")
    }

    @Test(arguments: [204, 404, 410])
    func believesThatAnEntityIsDeletedWhenTheServiceSaysSo(_ status: Int) async throws {
        let (service, provider) = try await left(HTTPResponse(status: status))
        #expect(try await order(provider).hasConflict)
        #expect(try await provider.conflict(for: "Orders(1)").server == nil)
        service.clearLog()
        try await provider.download()
        #expect(!service.requests.contains("GET Orders(1)"))
        try await provider.resolveConflict("Orders(1)", with: .server)
        #expect(try await provider.executeQuery("Orders").isEmpty)
    }

    @Test(arguments: [RecordedService.unreachable, HTTPResponse(status: 500)])
    func asksAgainWhereItCannotBeRead(_ answer: HTTPResponse) async throws {
        let (service, provider) = try await left(answer)
        service.set("GET Orders(1)", Self.moved)
        try await provider.download()
        let conflict = try await provider.conflict(for: "Orders(1)")
        #expect(conflict.server?["Title"]?.stringValue == "theirs")
        service.clearLog()
        try await provider.download()
        #expect(!service.requests.contains("GET Orders(1)"))
    }

    /// What cannot be read is not deleted: the change goes to the service, which decides.
    @Test(arguments: [400, 403, 405, 501])
    func sendsTheChangeOfAnEntityThatMayNotBeRead(_ status: Int) async throws {
        let (service, provider) = try await left(HTTPResponse(status: status))
        #expect(try await order(provider).hasConflict == false)
        #expect(try await !provider.conflict(for: "Orders(1)").isDeletedAtService)
        service.set("PATCH Orders(1)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
    }

    /// An answer with the key of another entity says nothing of this one; kept as its copy, it could not be taken back.
    @Test func believesNoAnswerAboutAnotherEntity() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        let other = #"{"@odata.etag":"\"7\"","ID":2,"Title":"other"}"#
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"\"1\"","ID":1,"Title":"a"},\#(other)]}"#
            )
        )
        let provider = try await service.opened(["Orders"])
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "mine"
        try await provider.updateEntity(order)
        service.set("GET Orders", RecordedService.json(#"{"value":[\#(other)]}"#))
        service.set("GET Orders(1)", RecordedService.json(other))
        try await provider.download()
        #expect(try await provider.conflict(for: "Orders(1)").server == nil)
        try await provider.undoPendingChanges("Orders(1)")
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// Deletion on both sides is no conflict; deleted here and changed there is one.
    @Test func knowsWhatTheServiceHasOfAnEntityDeletedHere() async throws {
        let (_, provider) = try await left(Self.moved, deleting: true)
        let request = try #require(try await provider.requestQueue().first)
        try await provider.dropRequest(request.id)
        #expect(try await order(provider)["Title"]?.stringValue == "theirs")
        try await provider.download()
        #expect(try await provider.executeQuery("Orders").isEmpty)
        #expect(try await provider.requestQueueIsEmpty())
    }

    // MARK: Removal after upload

    private static func removing() -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        options.removeCreatedEntityAfterUpload = true
        return options
    }

    /// The delta has brought the entity while it stayed for its refused fellow, and would not bring it again.
    @Test func keepsWhatADownloadHasBroughtBeforeItsRemoval() async throws {
        let service = try RecordedService(metadata: DepotModel.v4)
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Orders?d=1"}"#)
        )
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders", "Items"])
        try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": 1, "Title": "a"]),
            options: Self.removing()
        )
        try await provider.createEntity(
            EntityValue(entitySet: "Items", ["ID": 10, "OrderID": 1])
        )
        service.set("POST Orders", RecordedService.json(#"{"ID":1,"Title":"a"}"#, status: 201))
        service.set("POST Items", HTTPResponse(status: 400))
        service.set("POST $batch", HTTPResponse(status: 404))
        _ = try await provider.upload()
        service.set(
            "GET Orders?d=1",
            RecordedService.json(
                #"{"value":[{"ID":1,"Title":"a"}],"@odata.deltaLink":"Orders?d=2"}"#
            )
        )
        service.set(
            "GET Orders?d=2",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"Orders?d=2"}"#)
        )
        try await provider.download()
        let refused = try #require(try await provider.errorArchive().first)
        service.set("POST Items", RecordedService.json(#"{"ID":10,"OrderID":1}"#, status: 201))
        try await provider.retryRequest(refused.id)
        _ = try await provider.upload()
        try await provider.download()
        #expect(try await provider.executeQuery("Orders").count == 1)
    }

    /// A property that only a query has brought which the entity has left by a delta is not shown as current.
    @Test func forgetsValuesOfAQueryThatADeltaLeaves() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders?$select=ID,Title",
            RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}],"@odata.deltaLink":"A?d=1"}"#)
        )
        service.set(
            "GET Orders?$select=ID,Note",
            RecordedService.json(#"{"value":[{"ID":1,"Note":"n"}],"@odata.deltaLink":"B?d=1"}"#)
        )
        let provider = try await service.opened([
            "Orders?$select=ID,Title", "Orders?$select=ID,Note",
        ])
        #expect(try await order(provider)["Note"]?.stringValue == "n")
        service.set(
            "GET A?d=1",
            RecordedService.json(#"{"value":[],"@odata.deltaLink":"A?d=1"}"#)
        )
        service.set(
            "GET B?d=1",
            RecordedService.json(
                #"{"value":[{"@removed":{"reason":"changed"},"@id":"Orders(1)"}],"@odata.deltaLink":"B?d=2"}"#
            )
        )
        try await provider.download()
        let now = try await order(provider)
        #expect(now["Title"]?.stringValue == "a")
        #expect(now["Note"] == nil)
    }
}
