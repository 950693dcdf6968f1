import ODataHTTP
import OfflineOData
import Testing

/// Answers that say nothing has changed although nothing was compared.
@Suite struct UnaskedAnswerTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Group"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Groups" EntityType="N.Group"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func takesNo304ForAFirstLoad() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        service.set("GET Groups", HTTPResponse(status: 304))
        let error = await #expect(throws: OfflineODataError.self) {
            _ = try await service.opened(["Groups"])
        }
        #expect(
            error?.message.contains("304 to a GET without If-None-Match") == true,
            "\(String(describing: error))"
        )
    }
}
