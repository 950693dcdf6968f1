import ODataHTTP
import OfflineOData
import Testing

/// Collections of values in the verbose JSON of version 3: an object with the items stands around them (OData 3.0, JSON Verbose § 6.1.4).
@Suite struct OldCollectionTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="3.0" m:MaxDataServiceVersion="3.0"
         xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="M" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Names" Type="Collection(Edm.String)" Nullable="false"/></EntityType>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Items" EntityType="M.Item"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func areSentAndAnsweredWithTheirItemsInAnObject() async throws {
        let service = try RecordedService(metadata: Self.metadata)
        let page = #"{"d":{"results":[{"ID":1,"Names":{"results":["a"]}}]}}"#
        for url in ["GET Items", "GET Items?$format=json"] {
            service.set(url, RecordedService.json(page))
        }
        service.set("POST $batch", HTTPResponse(status: 501))
        let provider = try await service.opened(["Items"])
        try await provider.send("PATCH", "Items(1)", #"{"Names":["x","y"]}"#)
        let answer = await provider.respond(to: HTTPRequest(method: "GET", url: "Items(1)"))
        #expect(answer.text.contains(#""Names":{"results":["x","y"]}"#), "\(answer.text)")

        service.clearLog()
        for method in ["PATCH", "MERGE"] {
            service.set("\(method) Items(1)", HTTPResponse(status: 204))
        }
        #expect(try await provider.upload().succeededCount == 1)
        let sent = try #require(service.log.last { $0.url.hasSuffix("Items(1)") })
        let body = String(decoding: sent.body, as: UTF8.self)
        #expect(body.contains(#""Names":{"results":["x","y"]}"#), "\(body)")
    }
}
