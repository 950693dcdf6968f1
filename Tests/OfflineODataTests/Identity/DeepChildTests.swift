import OfflineOData
import ODataHTTP
import Testing

/// Contained entities that were created with their container, and that the answer does not show (OData 4.01 Part 1 § 11.4.2.2).
///
/// The service brings their values into a form of its own.
@Suite struct DeepChildTests {
    private static func page(_ entities: String, delta: String) -> HTTPResponse {
        RecordedService.json("{\"value\":[\(entities)],\"@odata.deltaLink\":\"\(delta)\"}")
    }

    /// An order with its lines, carried out.
    private func created(_ lines: String = #"[{"No":1,"Text":"a"}]"#) async throws
        -> (RecordedService, OfflineODataProvider)
    {
        let service = try RecordedService(metadata: TalkModel.document)
        service.set("GET Orders?$expand=Lines", Self.page("", delta: "d1"))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set(
            "POST Orders",
            HTTPResponse(
                status: 201,
                headers: ["Content-Type": "application/json", "Location": "Orders(9)"],
                body: Array(#"{"ID":9}"#.utf8)
            )
        )
        let provider = try await service.opened(["Orders?$expand=Lines"])
        try await provider.send("POST", "Orders", "{\"ID\":9,\"Lines\":\(lines)}")
        try await provider.upload()
        return (service, provider)
    }

    private func line(_ provider: OfflineODataProvider) async throws -> String {
        let lines = try await provider.executeQuery("Orders(9)/Lines")
        return try #require(lines.first?.readLink)
    }

    @Test(arguments: ["PATCH", "DELETE"])
    func sendsTheChangeOfWhatTheServiceShowsUnderItsKey(_ method: String) async throws {
        let (service, provider) = try await created()
        service.set("GET Orders(9)/Lines(1)", RecordedService.json(#"{"No":1,"Text":"A"}"#))
        service.set("\(method) Orders(9)/Lines(1)", HTTPResponse(status: 204))
        try await provider.send(method, line(provider), method == "PATCH" ? #"{"Text":"b"}"# : "")
        let result = try await provider.upload()
        #expect(result.succeededCount == 1)
        #expect(service.requests.contains("\(method) Orders(9)/Lines(1)"))
    }

    /// Where the values are those of another one, the service has given the keys anew.
    @Test func sendsNothingToAnotherThatHasTheKey() async throws {
        let (service, provider) = try await created(
            #"[{"No":1,"Text":"a"},{"No":2,"Text":"b"}]"#
        )
        service.set("GET Orders(9)/Lines(1)", RecordedService.json(#"{"No":1,"Text":"b"}"#))
        try await provider.send("PATCH", "Orders(9)/Lines(1)", #"{"Text":"c"}"#)
        try await provider.upload()
        #expect(!service.requests.contains("PATCH Orders(9)/Lines(1)"))
        #expect(try await provider.requestQueue().map(\.status) == [.parked])
    }

    /// A download shows the only line under a key that the service has given.
    @Test func findsTheOnlyOneUnderAnotherKey() async throws {
        let (service, provider) = try await created()
        for url in ["d1", "Orders?$expand=Lines"] {
            let page = Self.page(#"{"ID":9,"Lines":[{"No":5,"Text":"A"}]}"#, delta: "d2")
            service.set("GET \(url)", page)
        }
        service.set("GET d2", Self.page("", delta: "d2"))
        service.set("PATCH Orders(9)/Lines(5)", HTTPResponse(status: 204))
        try await provider.send("PATCH", line(provider), #"{"Text":"mine"}"#)
        try await provider.download()
        try await provider.upload()
        #expect(service.requests.contains("PATCH Orders(9)/Lines(5)"))
        let lines = try await provider.executeQuery("Orders(9)/Lines")
        #expect(lines.map { $0["Text"] } == [.string("mine")])
    }

    /// The deletion of the container names nothing of what it contains.
    @Test func deletesTheContainerAllTheSame() async throws {
        let (service, provider) = try await created()
        service.set("DELETE Orders(9)", HTTPResponse(status: 204))
        try await provider.send("DELETE", "Orders(9)", "")
        let result = try await provider.upload()
        #expect(result.succeededCount == 1)
        #expect(service.requests.contains("DELETE Orders(9)"))
    }

    /// What came and went between two deltas is in none of them.
    @Test(arguments: [true, false])
    func noticesThatAnotherClientHasDeletedWhatWasSent(_ isMentioned: Bool) async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        let query = "GET Orders?$expand=Lines"
        service.set(query, Self.page(#"{"ID":1,"Lines":[]}"#, delta: "d1"))
        service.set("POST $batch", HTTPResponse(status: 404))
        service.set(
            "POST Orders(1)/Lines",
            HTTPResponse(
                status: 201,
                headers: ["Content-Type": "application/json", "Location": "Orders(1)/Lines(1)"],
                body: Array(#"{"No":1,"Text":"a"}"#.utf8)
            )
        )
        let provider = try await service.opened(["Orders?$expand=Lines"])
        try await provider.send("POST", "Orders(1)/Lines", #"{"No":1,"Text":"a"}"#)
        try await provider.upload()
        let line = #"{"ID":1,"Lines":[{"No":1,"Text":"a"}]}"#
        service.set("GET d1", Self.page(isMentioned ? line : "", delta: "d2"))
        service.set("GET d2", Self.page("", delta: "d2"))
        try await provider.download()
        try await provider.download()
        #expect(try await provider.executeQuery("Orders(1)/Lines").count == (isMentioned ? 1 : 0))
        #expect(service.requests.filter { $0 == query }.count == (isMentioned ? 1 : 2))
    }

    /// What has left the collection while its container is deleted here does not come back with that.
    @Test func keepsOutWhatHasLeftADeletedContainer() async throws {
        let service = try RecordedService(metadata: TalkModel.document)
        let query = "Orders?$expand=Lines($filter=No%20lt%205)"
        service.set(
            "GET \(query)",
            Self.page(#"{"ID":1,"Lines":[{"No":1},{"No":2}]}"#, delta: "d1")
        )
        let removed = #"{"@removed":{"reason":"changed"},"@id":"Orders(1)/Lines(2)"}"#
        service.set("GET d1", Self.page("{\"ID\":1,\"Lines@delta\":[\(removed)]}", delta: "d2"))
        service.set("GET d2", Self.page("", delta: "d2"))
        let provider = try await service.opened([query])
        try await provider.send("DELETE", "Orders(1)", "")
        try await provider.download()
        try await provider.undoPendingChanges("Orders(1)")
        let lines = try await provider.executeQuery("Orders(1)/Lines")
        #expect(lines.map { $0["No"] } == [.integer(1)])
    }
}
