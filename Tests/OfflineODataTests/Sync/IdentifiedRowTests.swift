import ODataHTTP
import OfflineOData
import Testing

/// An entity whose creation had no answer, brought by a download and then named by a person: what the download has brought stays.
@Suite struct IdentifiedRowTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Shift"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"><Annotation Term="Org.OData.Core.V1.Computed"/></Property>
        <Property Name="Note" Type="Edm.String"/><Property Name="Stamp" Type="Edm.Int32"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Shifts" EntityType="S.Shift"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A store with a shift whose creation was lost, and the same shift as a download has brought it.
    private func lost() async throws -> (RecordedService, OfflineODataProvider, String) {
        let service = try RecordedService(metadata: Self.model)
        service.set("GET Shifts", RecordedService.json(#"{"value":[],"@odata.deltaLink":"d1"}"#))
        service.set("POST $batch", HTTPResponse(status: 404))
        let provider = try await service.opened(["Shifts"])
        try await provider.send("POST", "Shifts", #"{"Note":"lost"}"#)
        service.set("POST Shifts", HTTPResponse(status: 504))
        _ = try? await provider.upload()
        _ = try? await provider.upload()
        let local = try #require(try await provider.executeQuery("Shifts").first?.readLink)
        service.set(
            "GET d1",
            RecordedService.json(
                #"{"value":[{"@odata.etag":"\"5\"","ID":7,"Note":"lost","Stamp":105}],"@odata.deltaLink":"d2"}"#
            )
        )
        service.set("GET d2", RecordedService.json(#"{"value":[],"@odata.deltaLink":"d2"}"#))
        try await provider.download()
        #expect(try await provider.executeQuery("Shifts").count == 2)
        return (service, provider, local)
    }

    @Test func keepsWhatTheServiceHas() async throws {
        let (_, provider, local) = try await lost()
        try await provider.identifyEntity(local, as: "Shifts(7)")
        try await provider.download()
        let shifts = try await provider.executeQuery("Shifts")
        #expect(shifts.map { $0["Stamp"] } == [105])
        #expect(shifts.first?.etag == "\"5\"")
        #expect(try await provider.requestQueue().isEmpty)
    }

    /// A further change of it waits on.
    @Test func keepsAChangeThatWaits() async throws {
        let (service, provider, local) = try await lost()
        try await provider.send("PATCH", local, #"{"Note":"mine"}"#)
        try await provider.identifyEntity(local, as: "Shifts(7)")
        #expect(try await provider.executeQuery("Shifts").map { $0["Note"] } == ["mine"])
        service.set(
            "GET Shifts(7)",
            RecordedService.json(#"{"@odata.etag":"\"5\"","ID":7,"Note":"lost","Stamp":105}"#)
        )
        service.set("PATCH Shifts(7)", HTTPResponse(status: 204))
        try await provider.upload()
        #expect(service.bodies(of: "PATCH Shifts(7)") == [#"{"Note":"mine"}"#])
        #expect(try await provider.errorArchive().isEmpty)
    }
}
