import ODataHTTP
import OfflineOData
import Testing

/// A creation with a key whose answer was lost: the service may have given it another key, so that a look at the one that was sent
/// proves nothing (OData 4.01 Part 1 § 11.4.2).
@Suite struct KeptKeyTests {
    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let metadata = ShopModel.v4().replacing(
            "</EntityContainer>",
            with:
                "<Annotation Term=\"Org.OData.Capabilities.V1.BatchSupported\" Bool=\"false\"/></EntityContainer>"
        )
        let service = try RecordedService(metadata: metadata)
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        service.set("GET Orders(5)", RecordedService.json("{}", status: 404))
        let provider = try await service.opened(["Orders"]) { $0.retryPolicy = .never }
        return (service, provider)
    }

    private func create(_ key: Int64, _ provider: OfflineODataProvider) async throws {
        try await provider.createEntity(
            EntityValue(entitySet: "Orders", ["ID": .integer(key), "Title": "new"])
        )
    }

    private func posts(_ service: RecordedService) -> Int {
        service.requests.count { $0 == "POST Orders" }
    }

    @Test func asksAPersonWhereTheServiceMayReplaceKeys() async throws {
        let (service, provider) = try await opened()
        try await create(5, provider)
        service.set("POST Orders", RecordedService.lost)
        _ = try? await provider.upload()
        _ = try? await provider.upload()
        #expect(posts(service) == 1)
        #expect(try await provider.requestQueue().map(\.status) == [.unknownOutcome])
    }

    @Test(arguments: [(key: 1, isSentAgain: true), (key: 77, isSentAgain: false)])
    func remembersWhetherKeysWereKept(_ given: (key: Int, isSentAgain: Bool)) async throws {
        let (service, provider) = try await opened()
        try await create(1, provider)
        service.set(
            "POST Orders",
            RecordedService.json("{\"ID\":\(given.key),\"Title\":\"new\"}", status: 201)
        )
        #expect(try await provider.upload().succeededCount == 1)
        try await create(5, provider)
        service.set(
            "POST Orders",
            RecordedService.lost,
            RecordedService.json(#"{"ID":5,"Title":"new"}"#, status: 201)
        )
        _ = try? await provider.upload()
        _ = try? await provider.upload()
        #expect(posts(service) == (given.isSentAgain ? 3 : 2))
    }

    /// Where keys are known to be replaced, values are no proof: the service may have changed them too, or somebody else may.
    @Test(arguments: [(#"{"ID":77}"#, true), (#"{"ID":77},{"ID":78}"#, false)])
    func sendsAgainOnlyWhereEveryEntityIsKnown(_ entities: String, _ isSent: Bool) async throws {
        let (service, provider) = try await opened()
        try await create(1, provider)
        service.set("POST Orders", RecordedService.json(#"{"ID":77,"Title":"new"}"#, status: 201))
        try await provider.upload()
        service.set("GET Orders?$select=ID", RecordedService.json(#"{"value":[\#(entities)]}"#))
        try await create(5, provider)
        service.set("POST Orders", RecordedService.lost)
        _ = try? await provider.upload()
        _ = try? await provider.upload()
        #expect(posts(service) == (isSent ? 3 : 2))
        guard !isSent else { return }
        let left = try await provider.requestQueue()
        #expect(left.map(\.status) == [.unknownOutcome])
        #expect(left.first?.failure?.message.contains("identify") == true)
    }

    /// A person who finds the entity at the service says so: what waits for it goes on, and nothing is sent again.
    @Test func goesOnWithWhatAPersonHasFound() async throws {
        let (service, provider) = try await opened()
        try await create(5, provider)
        service.set("POST Orders", RecordedService.lost)
        _ = try? await provider.upload()
        _ = try? await provider.upload()
        var order = try #require(try await provider.executeQuery("Orders").first)
        order["Note"] = "later"
        try await provider.updateEntity(order)
        try await provider.identifyEntity("Orders(5)", as: "Orders(77)")
        service.set("GET Orders(77)", RecordedService.json(#"{"ID":77,"Title":"new"}"#))
        service.set("PATCH Orders(77)", HTTPResponse(status: 204))
        #expect(try await provider.upload().succeededCount == 1)
        #expect(posts(service) == 1)
        #expect(try await provider.requestQueueIsEmpty())
        #expect(try await provider.executeQuery("Orders").map { $0["ID"]?.integerValue } == [77])
    }

    /// An empty page with a link to a next one does not say that the entity is nowhere (OData 4.01 Part 1 § 11.2.6.7).
    @Test(arguments: [true, false])
    func sendsAgainOnlyWhereTheWholeAnswerIsEmpty(_ isLast: Bool) async throws {
        let (service, provider) = try await opened()
        try await create(5, provider)
        service.set(
            "GET Orders?$select=ID",
            RecordedService.json(
                isLast ? #"{"value":[]}"# : #"{"value":[],"@odata.nextLink":"Orders?more=1"}"#
            )
        )
        service.set("POST Orders", RecordedService.lost)
        _ = try? await provider.upload()
        _ = try? await provider.upload()
        #expect(posts(service) == (isLast ? 2 : 1))
    }
}
