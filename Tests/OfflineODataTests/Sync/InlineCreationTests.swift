import ODataProtocol
import OfflineOData
import OfflineStore
import Testing

/// Requests about an entity that another request creates inline.
@Suite struct InlineCreationTests {
    /// An order with an item created inline, whose name was changed before the upload.
    private func changed() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders?$expand=Items", RecordedService.json(#"{"value":[]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        let provider = try await service.opened(["Orders?$expand=Items", "Items"])
        try await provider.createEntity(
            EntityValue(
                entitySet: "Orders",
                ["Title": "deep", "Items": .collection([.object([("Name", "bolt")])])]
            )
        )
        var item = try #require(try await provider.executeQuery("Items").first)
        item["Name"] = "nut"
        try await provider.updateEntity(item)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.clearLog()
        return (service, provider)
    }

    private func names(_ provider: OfflineODataProvider) async throws -> [String?] {
        try await provider.executeQuery("Items").map { $0["Name"]?.stringValue }
    }

    @Test func waitsForTheRequestThatCreatesItsEntity() async throws {
        let (service, provider) = try await changed()
        #expect(try await provider.requestQueue().map(\.dependsOn) == [[], [1]])
        service.set(
            "POST Orders",
            RecordedService.json(
                #"{"ID":2,"Title":"deep","Items":[{"ID":20,"Name":"bolt"}]}"#,
                status: 201
            )
        )
        service.set("PATCH Items(20)", HTTPResponse(status: 204))
        service.set("GET Items(20)", RecordedService.json(#"{"ID":20,"Name":"bolt"}"#))
        _ = try? await provider.upload()
        #expect(service.log.allSatisfy { !$0.url.contains("$local") })
        #expect(
            service.log.allSatisfy { !String(decoding: $0.body, as: UTF8.self).contains("$local") }
        )
    }

    @Test func comesBackAloneToTheValuesOfItsCreation() async throws {
        let (_, provider) = try await changed()
        #expect(try await provider.dropRequest(2) == [2])
        #expect(try await names(provider) == ["bolt"])
        #expect(try await provider.requestQueue().map(\.method) == ["POST"])
    }

    @Test func goesWithTheRequestThatCreatesItsEntity() async throws {
        let (_, provider) = try await changed()
        #expect(try await provider.dropRequest(1) == [1, 2])
        #expect(try await names(provider).isEmpty)
        #expect(try await provider.requestQueueIsEmpty())
    }

    @Test func isParkedWithTheRequestThatCreatesItsEntity() async throws {
        let (service, provider) = try await changed()
        service.set("POST Orders", HTTPResponse(status: 400))
        let result = try await provider.upload()
        #expect([result.failedCount, result.parkedCount] == [1, 1])
        #expect(service.requests == ["POST $batch", "POST Orders"])
    }
}
