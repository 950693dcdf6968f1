import ODataHTTP
import OfflineOData
import TestSupport
import Testing

@testable import OfflineResources

/// Copies of kept reads across an upgrade of the service's model.
@Suite struct UpgradedCopyTests {
    private static let added = #"<Property Name="Extra" Type="Edm.String"/>"#

    /// A service that says "unchanged" where it is asked by what it gave out: its entities had the new values all along.
    private static func answer(_ member: String, link: String) -> LiteralService.Answer {
        { request in
            guard request.url.contains("Items") else {
                return LiteralService.json(
                    #"{"@odata.context":"http://service.localhost/odata/$metadata#Cards","value":[]}"#
                )
            }
            if request.url.contains("$deltatoken") {
                return LiteralService.json(
                    #"{"@odata.context":"http://service.localhost/odata/$metadata#Items/$delta","value":[],\#(link)}"#
                )
            }
            guard request.headers["If-None-Match"] == nil else { return HTTPResponse(status: 304) }
            let item = #"{"ID":1,"Name":"one"\#(member)}"#
            let rest = link.isEmpty ? "" : ",\(link)"
            return LiteralService.json(
                #"{"@odata.context":"http://service.localhost/odata/$metadata#Items","value":[\#(item)]\#(rest)}"#,
                link.isEmpty ? ["ETag": "\"1\""] : [:]
            )
        }
    }

    @Test(arguments: [
        "", #""@odata.deltaLink":"http://service.localhost/odata/Items?$deltatoken=1""#,
    ])
    func haveTheNewValuesAfterTheNextRead(_ link: String) async throws {
        let bench = try await PolicyBench(
            queries: ["Cards"],
            PolicyEngineOptions(),
            Self.answer("", link: link)
        )
        _ = try await bench.engine.read("Items")
        bench.service.setMetadata {
            $0.replacing(
                #"<Property Name="Note""#,
                with: Self.added + #"<Property Name="Note""#
            )
        }
        bench.service.set(Self.answer(#","Extra":"new""#, link: link))
        try await bench.provider.download()
        let read = try await bench.engine.read("Items")
        #expect(read.entities?.first?["Extra"] == "new")
        // From then on it is asked for changes again.
        _ = try await bench.engine.read("Items")
        #expect(
            bench.transport.requests.last?.headers["If-None-Match"]
                == (link.isEmpty ? "\"1\"" : nil)
        )
    }
}
