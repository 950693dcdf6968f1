import ODataHTTP
import OfflineOData
import Testing

/// Services that take batches in JSON only and do not announce it: their 415 to `multipart/mixed` (OData 4.01 Part 1 § 11.7).
@Suite struct JSONBatchFallbackTests {
    private static let refused = HTTPResponse(status: 415)

    private static let done = RecordedService.json(
        #"{"responses":[{"id":"1","status":204},{"id":"2","status":204}]}"#
    )

    private func opened(_ version: String = "4.01") async throws -> (
        RecordedService, OfflineODataProvider
    ) {
        let metadata = ShopModel.v4().replacing("Version=\"4.0\"", with: "Version=\"\(version)\"")
        let service = try RecordedService(metadata: metadata)
        service.set(
            "GET Orders",
            RecordedService.json(#"{"value":[{"ID":1,"Title":"a"},{"ID":2,"Title":"b"}]}"#)
        )
        let provider = try await service.opened(["Orders"])
        service.clearLog()
        return (service, provider)
    }

    private func change(_ provider: OfflineODataProvider, transaction: String? = "t") async throws {
        for id in 1...2 {
            let options = OfflineODataRequestOptions()
            options.transactionID = transaction
            let request = HTTPRequest(
                method: "PATCH",
                url: "Orders(\(id))",
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"Note":"n"}"#.utf8)
            )
            let answer = await provider.respond(to: request, options: options)
            try #require(answer.isSuccess)
        }
    }

    private func formats(_ service: RecordedService) -> [String] {
        service.log.filter { $0.url.hasSuffix("$batch") }
            .map { String(($0.headers["Content-Type"] ?? "").prefix { $0 != ";" }) }
    }

    @Test(arguments: ["4.01", "4.0"])
    func triesJSONBeforeItGivesUpBatches(_ version: String) async throws {
        let (service, provider) = try await opened(version)
        try await change(provider)
        service.set("POST $batch", Self.refused, Self.done)
        let result = try await provider.upload()
        #expect(formats(service) == ["multipart/mixed", "application/json"])
        #expect(result.succeededCount == 2)
        #expect(try await provider.requestQueueIsEmpty())
    }

    /// The next upload, also of another process, begins with the format that the service took.
    @Test func remembersTheFormat() async throws {
        let (service, provider) = try await opened()
        try await change(provider)
        service.set("POST $batch", Self.refused, Self.done)
        try await provider.upload()
        try await provider.close()
        let again = try service.provider()
        try await again.open()
        service.clearLog()
        service.set("POST $batch", Self.done)
        for id in 1...2 {
            let options = OfflineODataRequestOptions()
            options.transactionID = "u"
            let request = HTTPRequest(
                method: "PATCH",
                url: "Orders(\(id))",
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"Title":"later"}"#.utf8)
            )
            _ = await again.respond(to: request, options: options)
        }
        try await again.upload()
        #expect(formats(service) == ["application/json"])
        #expect(try await again.requestQueueIsEmpty())
    }

    /// The service takes no batches of either kind: a transaction is refused with the reason, single requests go one by one.
    @Test func givesUpWhereJSONIsRefusedToo() async throws {
        let (service, provider) = try await opened()
        try await change(provider)
        service.set("POST $batch", Self.refused)
        let result = try await provider.upload()
        #expect(formats(service) == ["multipart/mixed", "application/json"])
        #expect(result.failedCount == 2)
    }

    @Test func sendsSingleRequestsWhereNoBatchIsTaken() async throws {
        let (service, provider) = try await opened()
        try await change(provider, transaction: nil)
        service.set("POST $batch", Self.refused)
        for id in 1...2 { service.set("PATCH Orders(\(id))", HTTPResponse(status: 204)) }
        let result = try await provider.upload()
        #expect(formats(service) == ["multipart/mixed", "application/json"])
        #expect(result.succeededCount == 2)
    }

    /// A service of version 4.0 says so: it knows no JSON batches.
    @Test func asksNoServiceThatSaysItsVersion() async throws {
        let (service, provider) = try await opened("4.0")
        try await change(provider, transaction: nil)
        service.set("POST $batch", HTTPResponse(status: 415, headers: ["OData-Version": "4.0"]))
        for id in 1...2 { service.set("PATCH Orders(\(id))", HTTPResponse(status: 204)) }
        try await provider.upload()
        #expect(formats(service) == ["multipart/mixed"])
    }

    /// 404 and 405 are about the URL, not about the format.
    @Test(arguments: [404, 405, 501])
    func triesNoOtherFormatWhereThereIsNoBatch(_ status: Int) async throws {
        let (service, provider) = try await opened()
        try await change(provider, transaction: nil)
        service.set("POST $batch", HTTPResponse(status: status))
        for id in 1...2 { service.set("PATCH Orders(\(id))", HTTPResponse(status: 204)) }
        try await provider.upload()
        #expect(formats(service) == ["multipart/mixed"])
    }
}
