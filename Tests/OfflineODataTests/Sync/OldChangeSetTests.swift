import ODataHTTP
import OfflineOData
import Testing

/// Services of version 2 that take batches for reading only, and answer 501 to change sets (OData 2.0 Batch Processing, 2).
@Suite struct OldChangeSetTests {
    private static let guid = "00000000-0000-0000-0000-000000000001"

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: ShopModel.v2)
        let page = #"{"d":{"results":[{"ID":"1","Name":"a"},{"ID":"2","Name":"b"}]}}"#
        service.set("GET Items", RecordedService.json(page))
        service.set("GET Items?$format=json", RecordedService.json(page))
        let provider = try await service.opened(["Items"])
        service.clearLog()
        return (service, provider)
    }

    private func rename(
        _ provider: OfflineODataProvider,
        transaction: String? = nil
    ) async throws {
        for id in 1...2 {
            let options = OfflineODataRequestOptions()
            options.transactionID = transaction
            let request = HTTPRequest(
                method: "PATCH",
                url: "Items(\(id))",
                headers: ["Content-Type": "application/json"],
                body: Array(#"{"Name":"mine"}"#.utf8)
            )
            let answer = await provider.respond(to: request, options: options)
            try #require(answer.isSuccess, "\(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    private static func answer(_ count: Int) -> HTTPResponse {
        let part = """
            --r\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r
            HTTP/1.1 501 Not Implemented\r\nContent-Type: application/json\r\n\r
            {"error":{"code":"501","message":{"lang":"en","value":"no change sets"}}}\r\n
            """
        let body = String(repeating: part, count: count) + "--r--\r\n"
        return HTTPResponse(
            status: 202,
            headers: ["Content-Type": "multipart/mixed; boundary=r"],
            body: Array(body.utf8)
        )
    }

    private func changes(_ service: RecordedService) -> [String] {
        service.requests.filter { !$0.hasPrefix("GET") }
    }

    /// A service may answer each change set, or stop at the first.
    @Test(arguments: [1, 2])
    func sendsChangesOneByOne(_ answerCount: Int) async throws {
        let (service, provider) = try await opened()
        try await rename(provider)
        service.set("POST $batch", Self.answer(answerCount))
        for id in 1...2 { service.set("MERGE Items(\(id)L)", HTTPResponse(status: 204)) }
        let result = try await provider.upload()
        #expect(result.succeededCount == 2 && result.failedCount == 0)
        #expect(
            changes(service) == ["POST $batch", "MERGE Items(1L)", "MERGE Items(2L)"],
            "\(service.requests)"
        )
    }

    /// A transaction cannot go in another way: it is refused whole, with the reason.
    @Test func refusesATransactionWhole() async throws {
        let (service, provider) = try await opened()
        try await rename(provider, transaction: "t")
        service.set("POST $batch", Self.answer(1))
        let result = try await provider.upload()
        #expect(result.failedCount == 2)
        #expect(changes(service) == ["POST $batch"])
    }

    /// One change among others that the service does not support spoils nothing but itself.
    @Test func archivesTheOneChangeThatIsNotSupported() async throws {
        let (service, provider) = try await opened()
        try await rename(provider)
        service.set("POST $batch", Self.answer(2))
        service.set("MERGE Items(1L)", HTTPResponse(status: 204))
        let refusal = #"{"error":{"code":"501","message":{"lang":"en","value":"no"}}}"#
        service.set("MERGE Items(2L)", RecordedService.json(refusal, status: 501))
        let result = try await provider.upload()
        #expect(result.succeededCount == 1 && result.failedCount == 1)
    }
}
