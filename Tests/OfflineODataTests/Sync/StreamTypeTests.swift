import ODataHTTP
import OfflineOData
import Testing

/// The media type of a stream property, which the service states beside it (OData JSON 4.01 § 4.6.12).
@Suite struct StreamTypeTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Pic" Type="Edm.Stream"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func outlastsAFullDownload() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let row =
            #"{"ID":1,"Pic@odata.mediaEtag":"\"1\"","Pic@odata.mediaContentType":"text/plain"}"#
        service.set("GET As", RecordedService.json("{\"value\":[\(row)]}"))
        let content = HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/plain", "ETag": "\"1\""],
            body: Array("x".utf8)
        )
        service.set("GET As(1)/Pic", content)
        let provider = try service.provider()
        var query = OfflineODataDefiningQuery(name: "Q", query: "As")
        query.automaticallyRetrievesStreams = true
        try provider.add(definingQuery: query)
        try await provider.open()
        for _ in 0..<2 {
            let entity = try #require(try await provider.executeQuery("As").first)
            #expect(entity["Pic@odata.mediaContentType"]?.stringValue == "text/plain")
            let result = try await provider.download(withSubset: nil, isFull: true)
            #expect(result.updatedCount == 0)
        }
    }
}
