import OfflineOData
import Testing

/// Deltas that come whole and still cannot be applied.
@Suite struct RefusedDeltaTests {
    /// Entities that cannot be told from others refuse the delta; the same download reads the query in full.
    @Test func readsInFullWhatADeltaDoesNotName() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set(
            "GET Orders",
            RecordedService.json(
                #"{"value":[{"ID":1,"Title":"a"}],"@odata.deltaLink":"Orders?d=1"}"#
            )
        )
        service.set(
            "GET Orders?d=1",
            RecordedService.json(
                #"{"@odata.context":"$metadata#Orders/$delta","value":[{"@odata.id":"http://elsewhere.test/x(1)","Title":"b"}],"@odata.deltaLink":"Orders?d=2"}"#
            )
        )
        let provider = try await service.opened(["Orders"])
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"c"}]}"#))
        service.clearLog()
        _ = try? await provider.download()
        #expect(service.requests == ["GET $metadata", "GET Orders?d=1", "GET Orders"])
        let titles = try await provider.executeQuery("Orders").map { $0["Title"]?.stringValue }
        #expect(titles == ["c"])
    }
}
