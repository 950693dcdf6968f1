import ODataHTTP
import OfflineOData
import Synchronization
import TestSupport
import Testing

/// Streams that break off, change under way, or are kept at another origin than the service (RFC 9110 §§ 13.1.5, 14, 15.4).
@Suite struct StreamOriginTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="M" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Photo" HasStream="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Photos" EntityType="M.Photo"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Answers by absolute URL, one after the other; a cut ends the body early.
    fileprivate final class Service: HTTPTransport {
        struct Answer {
            var status = 200
            var headers: HTTPHeaders = [:]
            var body: [UInt8] = []
            var cut: Int?
        }

        private let state: Mutex<(answers: [String: [Answer]], log: [HTTPRequest])>

        init(_ photos: [(id: Int, link: String)], _ answers: [String: [Answer]]) {
            var answers = answers
            answers["http://s.test/$metadata"] = [
                Answer(headers: ["Content-Type": "application/xml"], body: Array(metadata.utf8))
            ]
            let items = photos.map { "{\"ID\":\($0.id),\"@odata.mediaReadLink\":\"\($0.link)\"}" }
            answers["http://s.test/Photos"] = [
                Answer(
                    headers: ["Content-Type": "application/json"],
                    body: Array("{\"value\":[\(items.joined(separator: ","))]}".utf8)
                )
            ]
            state = Mutex((answers, []))
        }

        var log: [HTTPRequest] { state.withLock { $0.log } }

        func requests(_ url: String) -> [HTTPRequest] { log.filter { $0.url == url } }

        func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
            -> HTTPStreamingResponse
        {
            let answer = state.withLock { state -> Answer in
                state.log.append(request)
                guard var left = state.answers[request.url], let first = left.first else {
                    return Answer(status: 404)
                }
                if left.count > 1 { left.removeFirst() }
                state.answers[request.url] = left
                return first
            }
            let pieces = Mutex<[[UInt8]]>([Array(answer.body.prefix(answer.cut ?? .max))])
            return HTTPStreamingResponse(
                status: answer.status,
                headers: answer.headers,
                body: HTTPBody {
                    if let piece = pieces.withLock({ $0.popLast() }) { return piece }
                    if answer.cut != nil { throw HTTPTransportError(.connectionLost, "cut") }
                    return nil
                }
            )
        }
    }

    private static let whole = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    private static let other = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 / 5) }
    private static let link = "http://s.test/files/1"

    private static func answer(_ etag: String?, cut: Int? = nil, _ bytes: [UInt8] = whole)
        -> Service.Answer
    {
        var headers: HTTPHeaders = ["Content-Type": "image/png"]
        headers["ETag"] = etag
        return Service.Answer(headers: headers, body: bytes, cut: cut)
    }

    private static func part(
        _ first: Int,
        _ etag: String,
        _ bytes: [UInt8] = whole,
        cut: Int? = nil,
        type: String = "image/png"
    )
        -> Service.Answer
    {
        Service.Answer(
            status: 206,
            headers: [
                "Content-Type": type, "ETag": etag,
                "Content-Range": "bytes \(first)-\(bytes.count - 1)/\(bytes.count)",
            ],
            body: Array(bytes[first...]),
            cut: cut
        )
    }

    private func opened(
        _ service: Service,
        _ directory: TemporaryDirectory,
        origins: [String] = [],
        attempts: Int = 3
    ) throws -> OfflineODataProvider {
        let parameters = OfflineODataParameters()
        parameters.transport = service
        parameters.allowedOrigins = origins
        parameters.customHeaders = ["X-Secret": "s", "Authorization": "Basic abc"]
        parameters.customCookies = ["c": "d"]
        parameters.retryPolicy.maximumAttempts = attempts
        parameters.retryPolicy.sleep = { _ in }
        let provider = try OfflineODataProvider(
            storeFile: directory.path + "/s.store",
            serviceRoot: "http://s.test/",
            isCreating: true,
            parameters: parameters,
            delegate: nil
        )
        try provider.add(
            definingQuery: OfflineODataDefiningQuery(
                name: "Photos",
                query: "Photos",
                automaticallyRetrievesStreams: true
            )
        )
        return provider
    }

    private func bytes(_ provider: OfflineODataProvider, _ id: Int = 1) async throws -> [UInt8]? {
        guard let stream = try await provider.stream("Photos(\(id))/$value") else { return nil }
        var all: [UInt8] = []
        for try await piece in stream { all += piece }
        return all
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        var testDescription: String
        fileprivate var answers: [Service.Answer]
        /// `Range` of the requests.
        var ranges: [String?]
        var isOther = false
    }

    @Test(arguments: [
        Broken(
            testDescription: "200 starts over",
            answers: [answer("\"1\"", cut: 300_000), answer("\"1\"")],
            ranges: [nil, "bytes=300000-"]
        ),
        Broken(
            testDescription: "another ETag, 200",
            answers: [answer("\"1\"", cut: 300_000), answer("\"2\"", other)],
            ranges: [nil, "bytes=300000-"],
            isOther: true
        ),
        Broken(
            testDescription: "another ETag, 206",
            answers: [
                answer("\"1\"", cut: 300_000), part(300_000, "\"2\"", other),
                answer("\"2\"", other),
            ],
            ranges: [nil, "bytes=300000-", nil],
            isOther: true
        ),
        Broken(
            testDescription: "another range",
            answers: [answer("\"1\"", cut: 300_000), part(299_999, "\"1\""), answer("\"1\"")],
            ranges: [nil, "bytes=300000-", nil]
        ),
        Broken(
            testDescription: "several ranges",
            answers: [
                answer("\"1\"", cut: 300_000),
                part(300_000, "\"1\"", type: "multipart/byteranges; boundary=b"), answer("\"1\""),
            ],
            ranges: [nil, "bytes=300000-", nil]
        ),
        Broken(
            testDescription: "416",
            answers: [answer("\"1\"", cut: 300_000), Service.Answer(status: 416), answer("\"1\"")],
            ranges: [nil, "bytes=300000-", nil]
        ),
        Broken(
            testDescription: "weak ETag",
            answers: [answer("W/\"1\"", cut: 300_000), answer("W/\"1\"")],
            ranges: [nil, nil]
        ),
        Broken(
            testDescription: "no ETag",
            answers: [answer(nil, cut: 300_000), answer(nil)],
            ranges: [nil, nil]
        ),
        Broken(
            testDescription: "cut twice",
            answers: [
                answer("\"1\"", cut: 300_000), part(300_000, "\"1\"", cut: 300_000),
                part(600_000, "\"1\""),
            ],
            ranges: [nil, "bytes=300000-", "bytes=600000-"]
        ),
        Broken(
            testDescription: "ends too early",
            answers: [
                answer("\"1\"", cut: 300_000),
                Service.Answer(
                    status: 206,
                    headers: ["Content-Range": "bytes 300000-899999/900000"],
                    body: Array(whole[300_000..<500_000])
                ),
                part(500_000, "\"1\""),
            ],
            ranges: [nil, "bytes=300000-", "bytes=500000-"]
        ),
    ])
    func bringsAStreamThatBreaksOff(_ item: Broken) async throws {
        let directory = try TemporaryDirectory()
        let service = Service([(1, "files/1")], [Self.link: item.answers])
        let provider = try opened(service, directory)
        try await provider.download()
        let found = try await bytes(provider)
        #expect(found == (item.isOther ? Self.other : Self.whole))
        #expect(service.requests(Self.link).map { $0.headers["Range"] } == item.ranges)
    }

    /// The pieces that were stored are not asked for again, by another provider either.
    @Test func goesOnInALaterCall() async throws {
        let directory = try TemporaryDirectory()
        let piece = 262_144
        let service = Service(
            [(1, "files/1")],
            [Self.link: [Self.answer("\"1\"", cut: 300_000), Self.part(piece, "\"1\"")]]
        )
        let first = try opened(service, directory, attempts: 1)
        await #expect(throws: OfflineODataError.self) { try await first.download() }
        let second = try opened(service, directory, attempts: 1)
        try await second.download()
        let last = try #require(service.requests(Self.link).last)
        #expect(last.headers["Range"] == "bytes=\(piece)-")
        #expect(last.headers["If-Range"] == "\"1\"")
        #expect(try await bytes(second) == Self.whole)
    }

    @Test(arguments: [
        ("https://cdn.test/a", ["https://cdn.test"], true),
        ("https://cdn.test:443/a", ["https://CDN.test/"], true),
        ("https://cdn.test/a", [], false),
        ("http://cdn.test/a", ["https://cdn.test"], false),
        ("https://cdn.test:8443/a", ["https://cdn.test"], false),
        ("https://cdn.test.evil.test/a", ["https://cdn.test"], false),
        ("//cdn.test/a", ["http://cdn.test"], true),
    ])
    func readsStreamsAtAllowedOriginsOnly(_ link: String, _ origins: [String], _ isRead: Bool)
        async throws
    {
        let directory = try TemporaryDirectory()
        let url = link.hasPrefix("//") ? "http:" + link : link
        let service = Service(
            [(1, link), (2, "files/2")],
            [
                url: [Self.answer("\"1\"", [1, 2])],
                "http://s.test/files/2": [Self.answer("\"2\"", [3])],
            ]
        )
        let provider = try opened(service, directory, origins: origins)
        try await provider.download()
        let (first, second) = (try await bytes(provider), try await bytes(provider, 2))
        #expect(first == (isRead ? [1, 2] : nil))
        #expect(second == [3])
        #expect(service.requests(url).count == (isRead ? 1 : 0))
        for request in service.requests(url) {
            #expect(request.headers.fields.map(\.name) == ["Accept"])
        }
        let event = try #require(try await provider.eventLog().first { $0.type == "Download" })
        #expect(
            (event.details?.contains("not allowed") ?? false) == !isRead,
            "\(event.details ?? "")"
        )
    }

    /// A redirect takes no credentials along, and comes back without them.
    @Test(arguments: [["http://cdn.test"], []])
    func followsRedirectsToAllowedOriginsOnly(_ origins: [String]) async throws {
        let directory = try TemporaryDirectory()
        let service = Service(
            [(1, "files/1")],
            [
                Self.link: [
                    Service.Answer(status: 302, headers: ["Location": "http://cdn.test/x/a?sig=1"])
                ],
                "http://cdn.test/x/a?sig=1": [
                    Service.Answer(status: 307, headers: ["Location": "b"])
                ],
                "http://cdn.test/x/b": [
                    Service.Answer(status: 302, headers: ["Location": "http://s.test/public"])
                ],
                "http://s.test/public": [Self.answer("\"1\"", [1])],
            ]
        )
        let provider = try opened(service, directory, origins: origins)
        try await provider.download()
        let found = try await bytes(provider)
        #expect(found == (origins.isEmpty ? nil : [1]))
        for request in service.log
        where request.url.contains("cdn") || request.url.hasSuffix("public") {
            #expect(request.headers.fields.map(\.name) == ["Accept"])
        }
    }

    /// The other streams come, and the error names the one that failed.
    @Test func bringsTheOthersWhereOneIsRefused() async throws {
        let directory = try TemporaryDirectory()
        let service = Service(
            [(1, "files/1"), (2, "files/2")],
            [
                Self.link: [Service.Answer(status: 403)],
                "http://s.test/files/2": [Self.answer("\"2\"", [3])],
            ]
        )
        let provider = try opened(service, directory)
        let error = await #expect(throws: OfflineODataError.self) { try await provider.download() }
        #expect(error?.httpStatus == 403)
        #expect(error?.message.contains("files/1") == true)
        #expect(try await bytes(provider, 2) == [3])
    }

    @Test(arguments: [
        "cdn.test", "ftp://cdn.test", "https://cdn.test/files", "https://u:p@cdn.test", "https://",
    ])
    func refusesWhatIsNoOrigin(_ text: String) throws {
        let directory = try TemporaryDirectory()
        let service = Service([], [:])
        let error = #expect(throws: OfflineODataError.self) {
            _ = try opened(service, directory, origins: [text])
        }
        #expect(error?.category == .invalidInput)
    }
}
