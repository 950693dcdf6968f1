import OfflineOData
import ODataHTTP
import Testing

/// Changes that correct a refused request.
@Suite struct CorrectionTests {
    /// What the request referred to may have been deleted here since: the service still has it.
    @Test func keepsReferencesToWhatWasDeletedSince() async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[]}"#))
        service.set("GET Items", RecordedService.json(#"{"value":[{"ID":10}]}"#))
        let provider = try await service.opened(["Orders", "Items"])
        let request = HTTPRequest(
            method: "POST",
            url: "Orders",
            headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":5,"Title":"bad","Items@odata.bind":["Items(10)"]}"#.utf8)
        )
        #expect(await provider.respond(to: request).status == 201)
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set("POST Orders", HTTPResponse(status: 400))
        service.set("GET Orders(5)", HTTPResponse(status: 404))
        #expect(try await provider.upload().failedCount == 1)
        try await provider.deleteEntity(
            try #require(try await provider.executeQuery("Items(10)").first)
        )
        var order = try #require(try await provider.executeQuery("Orders(5)").first)
        order["Title"] = "good"
        try await provider.updateEntity(order)
        service.set("POST Orders", RecordedService.json(#"{"ID":5,"Title":"good"}"#, status: 201))
        service.set("DELETE Items(10)", HTTPResponse(status: 204))
        service.clearLog()
        #expect(try await provider.upload().succeededCount == 2)
        let body = try #require(service.bodies(of: "POST Orders").last)
        #expect(body.contains(#""Title":"good""#) && body.contains(#"["Items(10)"]"#))
    }
}
