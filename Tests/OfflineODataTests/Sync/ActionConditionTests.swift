import ODataHTTP
import OfflineOData
import Testing

/// Bound actions at services that want the ETag of the entity they are called on (OData 4.01 Part 1 § 8.2.4).
@Suite struct ActionConditionTests {
    private static let metadata = ShopModel.v4().replacing(
        "<EntityContainer",
        with: """
            <Action Name="Touch" IsBound="true"><Parameter Name="it" Type="Shop.Order"/></Action>
            <Action Name="Clear" IsBound="true"><Parameter Name="it" Type="Collection(Shop.Order)"/></Action>
            <EntityContainer
            """
    )

    private static let order = #"{"@odata.etag":"\"1\"","ID":1,"Title":"a","Note":"n"}"#

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Orders", RecordedService.json("{\"value\":[\(Self.order)]}"))
        service.set("GET Orders(1)", RecordedService.json(Self.order))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Orders"])
        service.clearLog()
        return (service, provider)
    }

    private func call(_ provider: OfflineODataProvider, _ url: String = "Orders(1)/Shop.Touch")
        async throws
    {
        let request = HTTPRequest(
            method: "POST",
            url: url,
            headers: ["Content-Type": "application/json"],
            body: Array("{}".utf8)
        )
        let answer = await provider.respond(to: request)
        try #require(answer.isSuccess, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    private func conditions(_ service: RecordedService) -> [String] {
        service.log.filter { $0.url.contains("Shop.") }.map { $0.headers["If-Match"] ?? "none" }
    }

    /// Where nothing says that an ETag is wanted, none is sent: what was changed besides is no conflict of an action.
    @Test func sendsNoConditionUnasked() async throws {
        let (service, provider) = try await opened()
        try await call(provider)
        service.set("POST Orders(1)/Shop.Touch", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(conditions(service) == ["none"])
    }

    @Test func sendsTheETagOfItsEntityWhereItIsWanted() async throws {
        let (service, provider) = try await opened()
        try await call(provider)
        service.set(
            "POST Orders(1)/Shop.Touch",
            HTTPResponse(status: 428),
            HTTPResponse(status: 204)
        )
        let result = try await provider.upload()
        #expect(conditions(service) == ["none", "\"1\""])
        #expect(result.succeededCount == 1)
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// The version that the action was called on is not the service's any more: a person decides.
    @Test func isRefusedWhereTheEntityWasChanged() async throws {
        let (service, provider) = try await opened()
        try await call(provider)
        service.set("POST Orders(1)/Shop.Touch", HTTPResponse(status: 428))
        service.set(
            "GET Orders(1)",
            RecordedService.json(#"{"@odata.etag":"\"2\"","ID":1,"Title":"theirs","Note":"n"}"#)
        )
        try await provider.upload()
        #expect(conditions(service) == ["none"])
        let failed = try #require(try await provider.errorArchive().first)
        #expect(failed.failure?.message.contains("called on was changed") == true)
        // The next download shows the other version; then the call is made on that.
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"\"2\"","ID":1,"Title":"theirs","Note":"n"}]}"#
            )
        )
        try await provider.download()
        service.set(
            "POST Orders(1)/Shop.Touch",
            HTTPResponse(status: 428),
            HTTPResponse(status: 204)
        )
        service.clearLog()
        try await provider.retryRequest(failed.id)
        try await provider.upload()
        #expect(conditions(service).last == "\"2\"")
        #expect(try await provider.errorArchive().isEmpty)
    }

    /// The ETag has moved since: it is read anew where the entity is as it was.
    @Test func takesTheNewETagOfAnUnchangedEntity() async throws {
        let (service, provider) = try await opened()
        try await call(provider)
        service.set(
            "POST Orders(1)/Shop.Touch",
            HTTPResponse(status: 428),
            HTTPResponse(status: 412),
            HTTPResponse(status: 204)
        )
        service.set(
            "GET Orders(1)",
            RecordedService.json(Self.order),
            RecordedService.json(Self.order.replacing(#"\"1\""#, with: #"\"7\""#))
        )
        try await provider.upload()
        #expect(conditions(service) == ["none", "\"1\"", "\"7\""])
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// A service that wants it of one call wants it of all: the later ones carry it at once.
    @Test func remembersThatItIsWanted() async throws {
        let (service, provider) = try await opened()
        try await call(provider)
        service.set(
            "POST Orders(1)/Shop.Touch",
            HTTPResponse(status: 428),
            HTTPResponse(status: 204, headers: ["ETag": "\"1\""])
        )
        try await provider.upload()
        try await provider.download()
        try await call(provider)
        service.clearLog()
        try await provider.upload()
        #expect(conditions(service) == ["\"1\""])
    }

    /// A refusal that no ETag can mend stays one.
    @Test func endsWhereTheCollectionHasNoETag() async throws {
        let (service, provider) = try await opened()
        try await call(provider, "Orders/Shop.Clear")
        service.set("POST Orders/Shop.Clear", HTTPResponse(status: 428))
        let result = try await provider.upload()
        #expect(result.failedCount == 1)
        #expect(conditions(service) == ["none"])
    }
}
