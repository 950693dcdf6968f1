import ODataHTTP
import OfflineOData
import Testing

/// What the service answers to `$metadata` is refused: the error says where it came from, and what can be done.
@Suite struct RefusedMetadataTests {
    private static func model(_ properties: String) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Shift"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(properties)</EntityType>
        <EntityContainer Name="C"><EntitySet Name="Shifts" EntityType="S.Shift"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    private func opened() async throws -> (RecordedService, OfflineODataProvider) {
        let note = #"<Property Name="Note" Type="Edm.String"/>"#
        let service = try RecordedService(metadata: Self.model(note))
        service.set("GET Shifts", RecordedService.json(#"{"value":[{"ID":1,"Note":"a"}]}"#))
        return (service, try await service.opened(["Shifts"]))
    }

    private func answer(_ service: RecordedService, _ document: String) {
        service.set(
            "GET $metadata",
            HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/xml"],
                body: Array(document.utf8)
            )
        )
    }

    @Test(arguments: ["", "<edmx:Edmx Version=\"4.0\"", "<p>Maintenance</p>"])
    func namesTheRequest(_ document: String) async throws {
        let (service, provider) = try await opened()
        answer(service, document)
        let error = await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(error?.code == .invalidMetadata)
        #expect(error?.message.hasSuffix("(GET \(service.root)$metadata)") == true)
    }

    @Test(arguments: [
        (false, "clear the store and load it again"), (true, "upload what waits, or drop it, then"),
    ])
    func saysTheWayOut(_ isWaiting: Bool, _ wayOut: String) async throws {
        let (service, provider) = try await opened()
        if isWaiting { try await provider.send("PATCH", "Shifts(1)", #"{"Note":"b"}"#) }
        answer(service, Self.model(#"<Property Name="Note" Type="Edm.Int32"/>"#))
        let error = await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(error?.category == .incompatibleSchema)
        #expect(error?.message.contains(wayOut) == true)
    }
}
