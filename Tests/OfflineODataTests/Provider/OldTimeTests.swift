import OfflineOData
import Testing

/// Times of versions 1 to 3 are durations since midnight, for an application too.
@Suite struct OldTimeTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Ord"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="T" Type="Edm.Time"/></EntityType>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Ords" EntityType="S.Ord"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test(arguments: [
        (ODataQuery("Ords").filter(.property("T") == .value(.seconds(30_600))), [1]),
        (ODataQuery("Ords").filter(.property("T") > .value(.seconds(0))), [1, 3]),
        (ODataQuery("Ords").filter(.property("T") == .value(.seconds(0))), [2]),
    ])
    func areComparedWithDurations(_ query: ODataQuery, _ ids: [Int64]) async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let page =
            #"{"d":{"results":[{"ID":1,"T":"PT8H30M"},{"ID":2,"T":"PT0S"},{"ID":3,"T":"PT8H31M0.5S"}]}}"#
        service.set("GET Ords", RecordedService.json(page))
        let provider = try await service.opened(["Ords"])
        let found = try await provider.executeQuery(query)
        #expect(found.compactMap { $0["ID"]?.integerValue } == ids)
    }
}
