import ODataHTTP
import OfflineOData
import Testing

/// A lost answer to a change of properties that no metadata declares is settled by a look, as that of any other change.
@Suite struct LostDynamicValueTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Bag" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Bags" EntityType="S.Bag"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private func opened(_ bags: String) async throws -> (RecordedService, OfflineODataProvider) {
        let service = try RecordedService(metadata: Self.model)
        service.set("GET Bags", RecordedService.json("{\"value\":[\(bags)]}"))
        service.set("POST $batch", HTTPResponse(status: 404))
        return (service, try await service.opened(["Bags"]))
    }

    /// What is changed, and what the service shows afterwards.
    static let changes: [(body: String, shown: String, isSettled: Bool)] = [
        (#"{"Tag":"x"}"#, #""Tag":"x","Far":{"A":1}"#, true),
        (#"{"Far":{"A":2}}"#, #""Tag":"t","Far":{"A": 2}"#, true),
        (#"{"Tag":null}"#, #""Far":{"A":1}"#, true),
        (#"{"Tag":"x","Name":"b"}"#, #""Tag":"x","Far":{"A":1},"Name":"b""#, true),
        (#"{"Tag":"x"}"#, #""Tag":"theirs","Far":{"A":1}"#, false),
        (#"{"Tag":null}"#, #""Tag":"theirs","Far":{"A":1}"#, false),
    ]

    @Test(arguments: changes)
    func isSettledForAnUpdate(_ change: (body: String, shown: String, isSettled: Bool)) async throws
    {
        let (service, provider) = try await opened(
            #"{"@odata.etag":"\"1\"","ID":1,"Name":"a","Tag":"t","Far":{"A":1}}"#
        )
        try await provider.send("PATCH", "Bags(1)", change.body)
        // A gateway answers in the place of the service.
        service.set("PATCH Bags(1)", HTTPResponse(status: 504))
        service.set(
            "GET Bags(1)",
            RecordedService.json("{\"@odata.etag\":\"\\\"2\\\"\",\"ID\":1,\(change.shown)}")
        )
        _ = try? await provider.upload()
        _ = try? await provider.upload()
        #expect(service.requests.count { $0 == "PATCH Bags(1)" } == 1)
        #expect(try await provider.errorArchive().count == (change.isSettled ? 0 : 1))
        #expect(try await provider.requestQueue().isEmpty)
    }

    @Test func isSettledForACreation() async throws {
        let (service, provider) = try await opened("")
        try await provider.send("POST", "Bags", #"{"ID":7,"Tag":"x"}"#)
        service.set("POST Bags", HTTPResponse(status: 504))
        service.set("GET Bags(7)", RecordedService.json(#"{"ID":7,"Name":null,"Tag":"x"}"#))
        _ = try? await provider.upload()
        _ = try? await provider.upload()
        #expect(service.requests.count { $0 == "POST Bags" } == 1)
        #expect(try await provider.requestQueue().isEmpty)
    }
}
