import OfflineOData
import Testing

/// Complex values that are kept as JSON are answered with all that their type declares, whatever a local change has left out
/// (OData 4.01 Part 1 §§ 11.4.2, 11.4.3).
@Suite struct CompletedComplexTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Node"><Property Name="Text" Type="Edm.String"/>
        <Property Name="Tags" Type="Collection(Edm.String)"/>
        <Property Name="Size" Type="Edm.Int32" DefaultValue="3"/><Property Name="Next" Type="N.Node"/></ComplexType>
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Node" Type="N.Node"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func opened() async throws -> OfflineODataProvider {
        let service = try RecordedService(metadata: metadata)
        service.set("GET Items", RecordedService.json(#"{"value":[]}"#))
        return try await service.opened(["Items"])
    }

    private static func send(
        _ method: String,
        _ url: String,
        _ body: String = "",
        to provider: OfflineODataProvider
    ) async throws -> String {
        let request = HTTPRequest(method: method, url: url, body: Array(body.utf8))
        let answer = await provider.respond(to: request)
        try #require(answer.isSuccess)
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test(arguments: [
        (
            #"{"ID":1,"Node":{"Text":"a"}}"#, "Items(1)/Node",
            #""Text":"a","Tags":[],"Size":3,"Next":null}"#
        ),
        (#"{"ID":1,"Node":{"Text":"a"}}"#, "Items(1)/Node/Tags", #""value":[]}"#),
        (
            #"{"ID":1,"Node":{"Size":null,"Next":{"Text":"b"}}}"#, "Items(1)/Node",
            #""Text":null,"Tags":[],"Size":null,"Next":{"Text":"b","Tags":[],"Size":3,"Next":null}}"#
        ),
    ])
    func areWholeInWhatIsCreated(_ body: String, _ url: String, _ expected: String) async throws {
        let provider = try await Self.opened()
        _ = try await Self.send("POST", "Items", body, to: provider)
        #expect(try await Self.send("GET", url, to: provider).hasSuffix(expected))
        let queued = try await provider.requestQueue().first?.body
        #expect(queued == body)
    }

    @Test func areWholeInWhatIsChanged() async throws {
        let provider = try await Self.opened()
        let body = #"{"ID":1,"Node":{"Text":"a","Tags":["t"]}}"#
        _ = try await Self.send("POST", "Items", body, to: provider)
        let change = #"{"Node":{"Next":{"Text":"b"}}}"#
        _ = try await Self.send("PATCH", "Items(1)", change, to: provider)
        #expect(
            try await Self.send("GET", "Items(1)/Node", to: provider).hasSuffix(
                #""Text":"a","Tags":["t"],"Size":3,"Next":{"Text":"b","Tags":[],"Size":3,"Next":null}}"#
            )
        )
        // A value that is kept as JSON is sent as a whole, and what the change itself leaves out is left to the service.
        let queued = try await provider.requestQueue().last?.body
        #expect(
            queued == #"{"Node":{"Text":"a","Tags":["t"],"Size":3,"Next":{"Text":"b"}}}"#
        )
    }
}
