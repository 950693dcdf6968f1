import Foundation
import ODataHTTPServer
import ODataHTTP
import OfflineOData
import TestSupport
import Testing

let emptyAnswer = "HTTP/1.1 204 No Content\r\n\r\n"

@Suite struct TransportTests {
    /// Sends a request to a server that answers literal bytes; returns what each side saw.
    private func talk(
        _ kind: TransportKind,
        _ method: String,
        _ target: String = "a",
        headers: HTTPHeaders = [:],
        body: [UInt8] = [],
        answer: String = emptyAnswer
    ) async throws -> (sent: String, answer: HTTPResponse) {
        let server = try RawServer([.read, .send(answer)])
        defer { server.stop() }
        let transport = try kind.transport()
        let url = server.root + target
        let got = try await transport.exchange(method, url, headers: headers, body: body)
        return (HTTPText.text(server.messages.joined().map(\.self)), got)
    }

    @Test(arguments: TransportKind.allCases) func sendsAReadLiterally(kind: TransportKind)
        async throws
    {
        let target = "S('a%2Fb')?$filter=x%20eq%20'..%2F'&$top=1"
        let (sent, answer) = try await talk(
            kind,
            "GET",
            target,
            headers: ["OData-MaxVersion": "4.01"]
        )
        let lines = sent.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "GET /\(target) HTTP/1.1")
        // Names of fields are no matter of case (RFC 9110 § 5.1); Foundation on Linux writes them its own way.
        let name = kind.isFoundationOnLinux ? "Odata-Maxversion" : "OData-MaxVersion"
        #expect(lines.contains(name + ": 4.01"))
        #expect(lines.contains("User-Agent: OfflineOData"))
        #expect(lines.contains { $0.hasPrefix("Accept-Encoding: ") && $0.contains("gzip") })
        #expect(!lines.contains { $0.hasPrefix("Content-") || $0.hasPrefix("Expect") })
        #expect(sent.hasSuffix("\r\n\r\n"))
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "MERGE"], TransportKind.allCases) func sendsABody(
        method: String,
        kind: TransportKind
    ) async throws {
        let (sent, _) = try await talk(
            kind,
            method,
            headers: ["Content-Type": "application/json", "Content-Length": "99", "X-Empty": ""],
            body: Array("{}".utf8)
        )
        #expect(sent.hasPrefix("\(method) /a HTTP/1.1\r\n"))
        #expect(sent.contains("\r\nContent-Length: 2\r\n"))
        #expect(sent.contains("\r\nContent-Type: application/json\r\n"))
        #expect(sent.contains("\r\nX-Empty:\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n{}"))
    }

    @Test(arguments: TransportKind.allCases) func sendsALargeBodyWithoutWaiting(kind: TransportKind)
        async throws
    {
        let body = [UInt8](repeating: 0x7B, count: 2_000_000)
        let (sent, _) = try await talk(kind, "POST", body: body)
        #expect(!sent.lowercased().contains("\r\nexpect:"))
        #expect(sent.utf8.count > body.count)
    }

    @Test(arguments: TransportKind.allCases) func statesTheLengthOfAnEmptyBody(kind: TransportKind)
        async throws
    {
        let (sent, _) = try await talk(kind, "POST")
        #expect(sent.contains("\r\nContent-Length: 0\r\n"))
        #expect(!sent.contains("Content-Type"))
        #expect(sent.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: TransportKind.allCases) func sendsDeleteWithoutABody(kind: TransportKind)
        async throws
    {
        let (sent, _) = try await talk(kind, "DELETE")
        #expect(sent.hasPrefix("DELETE /a HTTP/1.1\r\n") && sent.hasSuffix("\r\n\r\n"))
        // Foundation on Linux states that there is no body.
        #expect(sent.contains("Content-Length: 0") == kind.isFoundationOnLinux)
    }

    @Test(arguments: TransportKind.allCases) func readsAHeadOnly(kind: TransportKind) async throws {
        let (sent, answer) = try await talk(
            kind,
            "HEAD",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: W/\"1\"\r\n\r\n"
        )
        #expect(sent.hasPrefix("HEAD /a HTTP/1.1\r\n"))
        #expect(answer.headers["etag"] == "W/\"1\"")
        #expect(answer.headers["content-length"] == "10")
        #expect(answer.body.isEmpty)
    }

    @Test(arguments: TransportKind.allCases) func passesOverInterimAnswers(kind: TransportKind)
        async throws
    {
        let (_, answer) = try await talk(
            kind,
            "GET",
            answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                + "HTTP/1.1 200 \r\nX-Long: a\r\n  b\r\nContent-Length: 2\r\n\r\nhi"
        )
        #expect(answer.status == 200)
        #expect(answer.headers["Link"] == nil)
        #expect(answer.headers["X-Long"] == "a b")
        #expect(answer.body == Array("hi".utf8))
    }

    @Test(arguments: TransportKind.allCases) func readsChunksAndIgnoresTrailers(kind: TransportKind)
        async throws
    {
        let (_, answer) = try await talk(
            kind,
            "GET",
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n"
                // Foundation on Linux ends the process for a trailer, see `endsTheProcessForATrailer`.
                + (kind.isFoundationOnLinux ? "" : "ETag: W/\"9\"\r\n") + "\r\n"
        )
        #expect(answer.body == Array("abcde".utf8))
        #expect(answer.headers["ETag"] == nil)
    }

    @Test(arguments: TransportKind.allCases) func readsABodyThatEndsWithTheConnection(
        kind: TransportKind
    ) async throws {
        let (_, answer) = try await talk(kind, "GET", answer: "HTTP/1.0 404 Bad Request\r\n\r\nall")
        #expect(answer.status == 404)
        #expect(answer.body == Array("all".utf8))
    }

    /// `gzip` of "hello" with the time stamp zero.
    static let zipped: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10,
        0x36, 5, 0, 0, 0,
    ]

    @Test(arguments: [true, false]) func unpacksUnlessTheRequestSaysHow(unpacks: Bool) async throws
    {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
            + "Content-Length: \(Self.zipped.count)\r\n\r\n"
        let server = try RawServer([.read, .send(Array(head.utf8) + Self.zipped)])
        defer { server.stop() }
        let answer = try await TransportKind.curl.transport().exchange(
            "GET",
            server.root,
            headers: unpacks ? [:] : ["Accept-Encoding": "gzip"]
        )
        #expect(answer.body == (unpacks ? Array("hello".utf8) : Self.zipped))
        #expect(answer.headers["Content-Encoding"] == (unpacks ? nil : "gzip"))
        #expect(answer.headers["Content-Length"] == (unpacks ? nil : "\(Self.zipped.count)"))
    }

    /// What a gateway packs although it was not asked to.
    @Test(arguments: [TransportKind.curl]) func unpacksWhatWasNotToBePacked(kind: TransportKind)
        async throws
    {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
            + "Trailer: X-Sum\r\n\r\n"
        let size = String(Self.zipped.count, radix: 16)
        let server = try RawServer([
            .read,
            .send(
                Array((head + size + "\r\n").utf8) + Self.zipped
                    + Array("\r\n0\r\nX-Sum: 1\r\n\r\n".utf8)
            ),
        ])
        defer { server.stop() }
        let answer = try await kind.transport().exchange(
            "GET",
            server.root,
            headers: ["Accept-Encoding": "identity"]
        )
        #expect(answer.body == Array("hello".utf8))
        #expect(answer.headers["Content-Encoding"] == nil)
        let sent = try #require(server.messages.first.map(HTTPText.text))
        let asked = sent.split(separator: "\r\n").filter { $0.hasPrefix("Accept-Encoding:") }
        #expect(asked == ["Accept-Encoding: identity"])
    }

    @Test(arguments: TransportKind.allCases) func doesNotFollowRedirects(kind: TransportKind)
        async throws
    {
        let (_, answer) = try await talk(
            kind,
            "GET",
            answer: "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(answer.status == 302)
        #expect(answer.headers["location"] == "/b")
    }

    @Test(arguments: [TransportKind.curl]) func asksTheProxy(kind: TransportKind) async throws {
        let proxy = try RawServer([.read, .send(emptyAnswer)])
        defer { proxy.stop() }
        let transport = try kind.transport { $0.curl.proxy = .url(proxy.root) }
        let answer = try await transport.exchange("GET", "http://service.example/a")
        #expect(answer.status == 204)
        let sent = try #require(proxy.messages.first.map(HTTPText.text))
        #expect(sent.hasPrefix("GET http://service.example/a HTTP/1.1\r\n"))
    }

    @Test(arguments: TransportKind.allCases) func keepsConnections(kind: TransportKind) async throws
    {
        let answer = RawServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        let server = try RawServer([.read, answer, .read, answer, .read, answer])
        defer { server.stop() }
        let transport = try kind.transport()
        for _ in 1...3 { _ = try await transport.exchange("GET", server.root) }
        #expect(server.connectionCount == 1)
        #expect(server.messages.count == 3)
    }

    /// The engine keeps the cookies of a service itself.
    @Test(arguments: TransportKind.allCases) func sendsNoCookiesByItself(kind: TransportKind)
        async throws
    {
        let answer = RawServer.Step.send(
            "HTTP/1.1 200 OK\r\nSet-Cookie: sid=theirs; Path=/\r\nContent-Length: 1\r\n\r\nx"
        )
        let server = try RawServer([.read, answer, .read, answer])
        defer { server.stop() }
        let transport = try kind.transport()
        let first = try await transport.exchange("GET", server.root)
        #expect(first.headers["Set-Cookie"] == "sid=theirs; Path=/")
        _ = try await transport.exchange("GET", server.root)
        #expect(server.messages.count == 2)
        #expect(!HTTPText.text(server.messages.joined().map(\.self)).contains("theirs"))
    }

    @Test(arguments: TransportKind.allCases) func waitsForAFreeConnection(kind: TransportKind)
        async throws
    {
        let listener = try HTTPListener(handler: Sizes())
        let transport = try kind.transport { $0.maximumConnections = 2 }
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...50 {
                group.addTask {
                    let url = "http://127.0.0.1:\(listener.port)/\(number * 1000)"
                    return try await transport.exchange("GET", url).body.count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes.sorted() == (1...50).map { $0 * 1000 })
        await listener.stop()
    }

    @Test(arguments: [TransportKind.curl]) func slowsTheSenderDown(kind: TransportKind) async throws
    {
        let listener = try HTTPListener(handler: Sizes())
        let transport = try kind.transport { $0.bufferBytes = 64 * 1024 }
        let request = HTTPRequest(method: "GET", url: "http://127.0.0.1:\(listener.port)/3000000")
        let answer = try await transport.send(request, options: HTTPRequestOptions.patient)
        var body: [UInt8] = []
        for try await piece in answer.body {
            #expect(piece.count <= 64 * 1024)
            body += piece
        }
        #expect(body == Sizes.body(3_000_000))
        await listener.stop()
    }

    /// A hundred million zeros in a hundred thousand bytes: what is unpacked at once must stay small.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/bin/gzip"),
            "needs the tool gzip"
        )
    )
    func unpacksWhatIsPackedTightly() async throws {
        let packed = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: packed) }
        let status = try await onThread {
            try ChildProcess(
                "/bin/sh",
                ["-c", "head -c 100000000 /dev/zero | gzip -9 > '\(packed.path())'"]
            )
            .waitForEnd()
        }
        #expect(status == 0)
        let body = [UInt8](try Data(contentsOf: packed))
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
        let server = try RawServer([.read, .send(Array(head.utf8) + body)])
        defer { server.stop() }
        let transport = try TransportKind.curl.transport { $0.bufferBytes = 64 * 1024 }
        let request = HTTPRequest(method: "GET", url: server.root)
        let answer = try await transport.send(request, options: HTTPRequestOptions.patient)
        var count = 0
        for try await piece in answer.body { count += piece.count }
        #expect(count == 100_000_000)
    }

    @Test(arguments: TransportKind.allCases) func aBodyOutlivesItsTransport(kind: TransportKind)
        async throws
    {
        let listener = try HTTPListener(handler: Sizes())
        var transport: (any HTTPTransport)? = try kind.transport { $0.bufferBytes = 64 * 1024 }
        let request = HTTPRequest(method: "GET", url: "http://127.0.0.1:\(listener.port)/9000000")
        let answer = try await transport?.send(request, options: HTTPRequestOptions.patient)
        transport = nil
        #expect(try await answer?.body.collect(upTo: 9_000_000).count == 9_000_000)
        await listener.stop()
    }
}

/// Answers as many bytes as the path says, counting up modulo 251.
struct Sizes: HTTPHandler {
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        HTTPResponse(status: 200, body: Self.body(Int(request.url.dropFirst()) ?? 0))
    }

    static func body(_ count: Int) -> [UInt8] {
        let pattern = [UInt8](0...250)
        var body: [UInt8] = []
        while body.count < count { body += pattern }
        return Array(body.prefix(count))
    }
}
