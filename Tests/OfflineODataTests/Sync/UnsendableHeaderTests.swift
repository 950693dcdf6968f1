import ODataHTTP
import OfflineOData
import Testing

/// Header fields and media types that HTTP cannot say (RFC 9110 § 5): refused when the change is made, so that no upload stops at them.
@Suite struct UnsendableHeaderTests {
    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Price":5}]}"#))
        return (service, try await service.opened(["Orders"]))
    }

    @Test(arguments: [
        ("X-A", "a\r\nX-B: b"), ("X-A", "a\nb"), ("X A", "b"), ("", "b"), ("X-A", "\0"),
    ])
    func areRefusedWithTheChange(_ name: String, _ value: String) async throws {
        let (_, provider) = try await opened()
        let order = try #require(try await provider.executeQuery("Orders(1)").first)
        for isTemplate in [true, false] {
            let options = OfflineODataRequestOptions()
            if isTemplate {
                options.customHeaderFormatTemplate.add(name, value)
            } else {
                options.customHeaders.add(name, value)
            }
            let error = await #expect(throws: OfflineODataError.self) {
                try await provider.deleteEntity(order, options: options)
            }
            #expect(error?.category == .invalidInput)
            #expect(error?.message.contains("cannot be sent") == true)
        }
        #expect(try await provider.requestQueue().isEmpty)
    }

    /// A text of several lines is one in a header field.
    @Test func takeTheLinesOfAValueAsOne() async throws {
        let (service, provider) = try await opened()
        let options = OfflineODataRequestOptions()
        options.customHeaderFormatTemplate.add("X-Title", "{Title}")
        var order = EntityValue(entitySet: "Orders")
        order["ID"] = 9
        order["Title"] = "a\r\nX-Evil: 1"
        try await provider.createEntity(order, options: options)
        service.set("POST Orders", HTTPResponse(status: 204))
        let result = try await provider.upload()
        #expect(result.succeededCount == 1)
        let sent = try #require(service.log.last { $0.method == "POST" })
        #expect(sent.headers["X-Title"] == "a  X-Evil: 1")
    }
}
