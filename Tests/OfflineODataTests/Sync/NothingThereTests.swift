import ODataHTTP
import OfflineOData
import Testing

/// 204 says that nothing is there, as 404 does (OData 4.01 Part 1 § 11.2.4).
@Suite struct NothingThereTests {
    /// A deletion whose answer was lost: the service answers 204 where the entity was.
    @Test func takesAnEntityWithoutContentForGone() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1,"@odata.etag":"W/\"1\""}]}"#)
        )
        let provider = try await service.opened(["Orders"]) { $0.retryPolicy = .never }
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        try await provider.deleteEntity(order)
        service.set("POST $batch", RecordedService.lost)
        service.set("GET Orders(1)", HTTPResponse(status: 204))
        _ = try? await provider.upload()
        _ = try await provider.upload()
        #expect(try await provider.requestQueueIsEmpty())
        #expect(service.requests.filter { $0 == "POST $batch" }.count == 1)
    }
}
