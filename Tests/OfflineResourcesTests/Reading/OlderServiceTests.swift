import Foundation
import ODataHTTP
import OfflineOData
import OfflineResources
import TestSupport
import Testing

/// Reads by policies of services of version 2, in the language of that version.
@Suite struct OlderServiceTests {
    private struct Service: HTTPHandler {
        func respond(to request: HTTPRequest) async -> HTTPResponse {
            let metadata = request.url.hasSuffix("$metadata")
            return HTTPResponse(
                status: 200,
                headers: [
                    "Content-Type": metadata ? "application/xml" : "application/json",
                    "DataServiceVersion": "2.0",
                ],
                body: Array((metadata ? Self.metadata : Self.items).utf8)
            )
        }

        private static let items = #"{"d":{"__count":"7","results":[{"ID":1,"Name":"Item"}]}}"#
        private static let metadata = """
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
            <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
            <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
            <Property Name="When" Type="Edm.DateTime"/></EntityType>
            <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Items" EntityType="Shop.Item"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
    }

    @Test(
        arguments: [
            "Items?$inlinecount=allpages", "Items?$filter=substringof('I',Name)",
            "Items?$filter=When gt datetime'2020-01-01T00:00:00'",
            "Items?$orderby=Name desc&$top=1",
        ]
    )
    func keepsTheMembersForTheSameQueryOffline(_ url: String) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "older-" + UUID().uuidString
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let parameters = OfflineODataParameters()
        parameters.storePath = directory
        parameters.transport = HandlerTransport(Service())
        let provider = try OfflineODataProvider(
            serviceRoot: "http://service.localhost/odata/",
            parameters: parameters
        )
        try await provider.open()
        let network = ManualReachability()
        var options = PolicyEngineOptions()
        options.reachability = network
        let engine = PolicyEngine(provider: provider, options: options)
        for isOnline in [true, false] {
            network.set(isReachable: isOnline)
            let request = HTTPRequest(method: "GET", url: url)
            let answer = await engine.respond(to: request)
            #expect(answer.answer.origin.place == (isOnline ? .service : .store))
            let text = String(decoding: answer.response.body, as: UTF8.self)
            #expect(text.contains(#""Name":"Item""#), "\(text)")
            #expect(try await engine.read(url).entities?.count == 1)
        }
    }
}
