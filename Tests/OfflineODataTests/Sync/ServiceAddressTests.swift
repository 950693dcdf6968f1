import Foundation
import ODataHTTP
import TestSupport
import Testing

@testable import ODataClient
@testable import OfflineProvider
@testable import OfflineValues
@testable import OfflineOData

/// What stands in a service root besides the address, and answers that are no data.
@Suite struct ServiceAddressTests {
    @Test(
        arguments: [
            ("http://h/x", "http://h/x/", [], nil),
            ("HTTPS://h/x/", "HTTPS://h/x/", [], nil),
            ("http://h/x?sap-client=100", "http://h/x/", ["sap-client=100"], nil),
            ("http://h/x/?a=1&b=%20", "http://h/x/", ["a=1", "b=%20"], nil),
            ("http://me:pw@h:1/x", "http://h:1/x/", [], "me:pw"),
            ("http://me:p%40:w@h/x@y", "http://h/x@y/", [], "me:p@:w"),
            ("http://me@h", "http://h/", [], "me:"),
        ] as [(String, String, [String], String?)]
    )
    func takesAServiceRootApart(
        _ text: String,
        _ root: String,
        _ options: [String],
        _ credentials: String?
    ) throws {
        let url = try ServiceURL(root: text)

        #expect(url.root == root)
        #expect(url.options == options)
        #expect(url.credentials.map { $0.name + ":" + $0.password } == credentials)
    }

    @Test(arguments: [
        "", "h/x", "http:/h", "http://", "http:///x", "http://:80/", "http://h:0/",
        "http://h:99999/", "http://h:a/", "http://[::1", "http://[::1]80/", "http://?x",
    ])
    func refusesARootWithoutAHost(_ root: String) {
        #expect(throws: OfflineODataError.self) { try ServiceURL(root: root) }
    }

    @Test(arguments: ["http://h:/x", "http://[::1]/", "http://[::1]:8080/x", "https://h:65535"])
    func takesEveryHostAndPort(_ root: String) throws {
        #expect(try ServiceURL(root: root).root.hasPrefix(root))
    }

    @Test func namesNoPasswordInAnError() throws {
        let error = try #require(throws: OfflineODataError.self) {
            _ = try ServiceURL(root: "ftp://me:secret@h/x")
        }
        #expect(!error.message.contains("secret"))
    }

    @Test(arguments: [
        ("http://h/x/A", "http://h/x/A?c=1"), ("http://h/x/A?$top=1", "http://h/x/A?$top=1&c=1"),
        ("http://h/x/A?c=2", "http://h/x/A?c=2"), ("http://h/x/A?", "http://h/x/A?c=1"),
    ])
    func completesURLs(_ url: String, _ whole: String) throws {
        #expect(try ServiceURL(root: "http://h/x?c=1").completed(url) == whole)
    }

    private static let page = #"{"d":{"results":[]}}"#

    @Test func sendsTheOptionsWithEveryRequest() async throws {
        let transport = try Recording { request in
            request.url.contains("$metadata")
                ? HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "application/xml"],
                    body: Array(ShopModel.v2.utf8)
                )
                : HTTPResponse(
                    status: 200,
                    headers: [
                        "Content-Type": "application/json",
                        "sap-message":
                            #"{"code":"X/1","message":"Maintenance at noon","severity":"info"}"#,
                    ],
                    body: Array(Self.page.utf8)
                )
        }
        let provider = try transport.provider("http://me:pw@service.test/odata?sap-client=100")
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Orders", query: "Orders"))
        try await provider.open()

        #expect(transport.log.count >= 2)
        #expect(transport.log.allSatisfy { $0.url.hasSuffix("sap-client=100") })
        #expect(transport.log.allSatisfy { $0.headers["Authorization"] == "Basic bWU6cHc=" })
        #expect(try await provider.status().serviceRoot == "http://service.test/odata/")
        #expect(
            try await provider.eventLog().contains {
                $0.details == "info: Maintenance at noon"
            }
        )
        #expect(provider.takeServiceMessages() == ["info: Maintenance at noon"])
        #expect(provider.takeServiceMessages().isEmpty)
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", "logon page"), ("application/atom+xml;type=feed", "Atom"),
    ])
    func saysWhatAnAnswerIs(_ type: String, _ word: String) async throws {
        let transport = try Recording { request in
            HTTPResponse(
                status: 200,
                headers: [
                    "Content-Type": request.url.contains("$metadata") ? "application/xml" : type
                ],
                body: request.url.contains("$metadata")
                    ? Array(ShopModel.v2.utf8) : Array("<x/>".utf8)
            )
        }
        let provider = try transport.provider("http://service.test/odata")
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: "Orders", query: "Orders"))

        let error = await #expect(throws: OfflineODataError.self) { try await provider.open() }

        #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    }
}

/// Answers every request by a function, and keeps what was asked.
private struct Recording {
    private let transport: HandlerTransport
    private let directory: TemporaryDirectory

    init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) throws {
        transport = HandlerTransport(Answering(answer: answer))
        directory = try TemporaryDirectory()
    }

    var log: [HTTPRequest] { transport.requests }

    func provider(_ root: String) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.storePath = URL(filePath: directory.path)
        parameters.transport = transport
        return try OfflineODataProvider(serviceRoot: root, parameters: parameters)
    }

    private struct Answering: HTTPHandler {
        let answer: @Sendable (HTTPRequest) -> HTTPResponse

        func respond(to request: HTTPRequest) async -> HTTPResponse { answer(request) }
    }
}
