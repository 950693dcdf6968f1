import OfflineOData
import ODataHTTP
import Testing

/// Answers to a whole batch that do not tell what became of its requests: what the service has said stays with them.
@Suite struct FailedBatchTests {
    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        let provider = try await service.opened(["Orders"])
        try await provider.createEntity(EntityValue(entitySet: "Orders", ["Title": "new"]))
        return (service, provider)
    }

    @Test func sayWhatTheServiceHasAnswered() async throws {
        let (service, provider) = try await opened()
        let error = #"{"error":{"code":"x","message":"the engine is on fire"}}"#
        service.set("POST $batch", RecordedService.json(error, status: 500))
        let result = try? await provider.upload()
        #expect(result?.succeededCount ?? 0 == 0)
        let entry = try #require(try await provider.requestQueue().first)
        #expect(entry.status == .unknownOutcome)
        let message = try #require(entry.failure?.message)
        #expect(
            message.hasPrefix("the service answered 500: the engine is on fire, and the service")
        )
    }

    /// A decision to send it again forgets what was said of the first sending.
    @Test func forgetWhatWasAnsweredBefore() async throws {
        let (service, provider) = try await opened()
        service.set("POST $batch", HTTPResponse(status: 500))
        _ = try? await provider.upload()
        let entry = try #require(try await provider.requestQueue().first)
        #expect(entry.failure?.message.hasPrefix("the service answered 500, and") == true)
        try await provider.retryRequest(entry.id)
        let again = try #require(try await provider.requestQueue().first)
        #expect(again.status == .pending && again.failure == nil)
    }
}
