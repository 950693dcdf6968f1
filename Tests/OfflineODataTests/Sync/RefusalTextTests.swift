import ODataHTTP
import OfflineOData
import Testing

/// What a person reads of a refusal: everything that the service says of it.
@Suite struct RefusalTextTests {
    @Test(arguments: [
        (#"{"message":"not valid"}"#, "not valid"),
        (#"{"message":"not valid","target":"Title"}"#, "Title: not valid"),
        (#"{"message":"Title is not valid","target":"Title"}"#, "Title is not valid"),
        (
            #"{"message":"2 errors","details":[{"target":"Title","message":"too long"},{"message":"locked"}]}"#,
            "2 errors; Title: too long; locked"
        ),
        (#"{"message":"same","details":[{"message":"same"}]}"#, "same"),
        (#"{"message":"","details":[{"message":"only here"}]}"#, "only here"),
    ])
    func namesWhatAnErrorIsAbout(_ error: String, _ message: String) async throws {
        let service = try RecordedService(metadata: ShopModel.v4())
        service.set("GET Orders", RecordedService.json(#"{"value":[{"ID":1,"Title":"a"}]}"#))
        service.set("PATCH Orders(1)", RecordedService.json(#"{"error":\#(error)}"#, status: 400))
        let provider = try await service.opened(["Orders"])
        var order = try #require(try await provider.executeQuery("Orders(1)").first)
        order["Title"] = "mine"
        try await provider.updateEntity(order)
        _ = try await provider.upload()
        #expect(try await provider.errorArchive().first?.failure?.message == message)
    }
}
