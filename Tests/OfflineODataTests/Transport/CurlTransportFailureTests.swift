import ODataHTTPServer
import ODataHTTP
import OfflineOData
import TestSupport
import Testing

@Suite struct CurlTransportFailureTests {
    /// What a request to a server with these scripts ends with.
    private func code(
        _ scripts: [RawServer.Step],
        method: String = "GET",
        options: HTTPRequestOptions = HTTPRequestOptions.patient
    ) async throws -> HTTPTransportError.Code? {
        let server = try RawServer(scripts)
        defer { server.stop() }
        do {
            _ = try await CurlTransport.plain().exchange(method, server.root, options: options)
            return nil
        } catch let error as HTTPTransportError {
            return error.code
        }
    }

    // MARK: - Sent or not

    @Test func tellsThatNothingWasSent() async throws {
        let socket = try TCPSocket(listening: ())
        let url = "http://127.0.0.1:\(socket.port)/"
        socket.close()
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await CurlTransport.plain().exchange("GET", url)
        }
    }

    @Test func tellsThatANameIsUnknown() async throws {
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await CurlTransport.plain().exchange("POST", "http://unknown.invalid/")
        }
    }

    @Test func tellsThatTLSFailed() async throws {
        let server = try RawServer([.readBytes(1), .send("no TLS")])
        defer { server.stop() }
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await CurlTransport.plain().exchange("POST", "https://127.0.0.1:\(server.port)/")
        }
    }

    @Test(arguments: ["GET", "POST", "DELETE"]) func tellsThatTheAnswerIsMissing(method: String)
        async throws
    {
        #expect(try await code([.read], method: method) == .connectionLost)
        #expect(try await code([.read, .reset], method: method) == .connectionLost)
    }

    static let answer = "HTTP/1.1 200 OK\r\nETag: W/\"1\"\r\nContent-Length: 5\r\n\r\nabcde"

    @Test func tellsThatAnAnswerWasCutAtAnyByte() async throws {
        for count in 0..<Self.answer.utf8.count {
            let cut = RawServer.Step.send(Array(Self.answer.utf8.prefix(count)))
            #expect(try await code([.read, cut]) == .connectionLost, "after \(count) bytes")
        }
        #expect(try await code([.read, .send(Self.answer)]) == nil)
    }

    @Test func tellsThatAChunkIsMissing() async throws {
        let cut = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n"
        #expect(try await code([.read, .send(cut)]) == .connectionLost)
    }

    @Test(arguments: ["garbage\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "\0\u{1}\u{2}\u{3}\u{4}\r\n"])
    func tellsThatAnAnswerIsNoHTTP(answer: String) async throws {
        #expect(try await code([.read, .send(answer)]) == .protocolViolation)
    }

    @Test func refusesAnEndlessHead() async throws {
        let head =
            "HTTP/1.1 200 OK\r\n"
            + String(repeating: "X: \(String(repeating: "y", count: 1000))\r\n", count: 400)
        #expect(try await code([.read, .send(head), .stall]) == .protocolViolation)
    }

    @Test func tellsThatTheServiceIsSilent() async throws {
        var options = HTTPRequestOptions.patient
        options.idleTimeout = .milliseconds(200)
        #expect(try await code([.read, .stall], options: options) == .timedOut)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"
        #expect(try await code([.read, .send(head), .stall], options: options) == .timedOut)
    }

    @Test func endsATransferThatTakesTooLong() async throws {
        let server = try RawServer([.read, .stall])
        defer { server.stop() }
        await #expect(throws: HTTPTransportError(.timedOut, "")) {
            try await CurlTransport.plain { $0.wholeTimeout = .milliseconds(50) }
                .exchange("GET", server.root)
        }
    }

    @Test func isSureOnlyWhereNothingWasSent() async throws {
        let server = try RawServer([.read, .send("garbage\r\n\r\n")])
        defer { server.stop() }
        let transport = try CurlTransport.plain()
        let garbage = await #expect(throws: HTTPTransportError.self) {
            try await transport.exchange("POST", server.root)
        }
        #expect(garbage?.isCertainlyUnsent == false)
        let unknown = await #expect(throws: HTTPTransportError.self) {
            try await transport.exchange("POST", "http://unknown.invalid/")
        }
        #expect(unknown?.isCertainlyUnsent == true)
    }

    // MARK: - Never twice

    /// The server answers once, reads the next request on whatever connection, and closes.
    @Test(arguments: ["POST", "PATCH", "DELETE"]) func sendsAWriteOnce(method: String) async throws
    {
        let answer = RawServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let server = try RawServer([.read, answer, .read], [.read], [.read, answer])
        defer { server.stop() }
        let transport = try CurlTransport.plain { $0.longestRestBeforeChange = .seconds(3600) }
        _ = try await transport.exchange("GET", server.root)
        var options = HTTPRequestOptions.patient
        options.isUnrepeatable = true
        await #expect(throws: HTTPTransportError(.connectionLost, "")) {
            try await transport.exchange(
                method,
                server.root,
                body: method == "DELETE" ? [] : [0x7B, 0x7D],
                options: options
            )
        }
        let methods = server.messages.map { HTTPText.text($0).prefix { $0 != " " } }
        #expect(methods == ["GET", Substring(method)])
    }

    /// A service that is far away needs several round trips for a connection: a change that follows another takes the same one.
    @Test(arguments: ["POST", "PATCH"], [Duration.seconds(3600), .zero])
    func keepsConnectionsForChangesWithABody(method: String, rest: Duration) async throws {
        let answer = RawServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let server = try RawServer([.read, answer, .read, answer], [.read, answer])
        defer { server.stop() }
        let transport = try CurlTransport.plain { $0.longestRestBeforeChange = rest }
        var options = HTTPRequestOptions.patient
        options.isUnrepeatable = true
        for body in ["one", "other"] {
            let got = try await transport.exchange(
                method,
                server.root,
                body: Array(body.utf8),
                options: options
            )
            #expect(got.status == 200)
        }
        #expect(server.connectionCount == (rest == .zero ? 2 : 1))
        #expect(
            server.messages.map { HTTPText.text($0).hasSuffix("\r\n\r\none") } == [true, false]
        )
        #expect(server.messages.last.map { HTTPText.text($0).hasSuffix("\r\n\r\nother") } == true)
    }

    /// A read may go twice; that it does shows that the test above would notice.
    @Test func repeatsAReadOnAKeptConnection() async throws {
        let answer = RawServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let server = try RawServer([.read, answer, .read], [.read, answer])
        defer { server.stop() }
        let transport = try CurlTransport.plain()
        _ = try await transport.exchange("GET", server.root)
        #expect(try await transport.exchange("GET", server.root).status == 200)
        #expect(server.messages.count == 3)
    }

    // MARK: - Refused before sending

    @Test(arguments: [
        HTTPRequest(method: "GET", url: "ftp://127.0.0.1/"),
        HTTPRequest(method: "GET", url: "file:///etc/passwd"),
        HTTPRequest(method: "GET", url: "relative"),
        HTTPRequest(method: "GET", url: "http://127.0.0.1/a b"),
        HTTPRequest(method: "GET", url: "http://127.0.0.1/a\r\nX: y"),
        HTTPRequest(method: "GET x", url: "http://127.0.0.1/"),
        HTTPRequest(method: "", url: "http://127.0.0.1/"),
        HTTPRequest(method: "GET", url: "http://127.0.0.1/", headers: ["X": "a\r\nY: b"]),
        HTTPRequest(method: "GET", url: "http://127.0.0.1/", headers: ["X: y\r\nZ": "a"]),
        HTTPRequest(method: "GET", url: "http://127.0.0.1/", headers: ["": "a"]),
        HTTPRequest(method: "GET", url: "http://[/"),
    ])
    func refusesWhatCannotBeSaid(request: HTTPRequest) async throws {
        let transport = try CurlTransport.plain()
        let error = await #expect(throws: HTTPTransportError.self) {
            try await transport.send(request, options: HTTPRequestOptions.patient)
        }
        #expect(error?.code == .protocolViolation)
        #expect(error?.isCertainlyUnsent == true)
    }

    // MARK: - Cancelling

    @Test func cancelsWhileWaitingForTheHead() async throws {
        let server = try RawServer([.read, .stall])
        defer { server.stop() }
        let transport = try CurlTransport.plain()
        let task = Task { try await transport.exchange("POST", server.root) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func cancelsWhileReadingTheBody() async throws {
        let server = try RawServer(
            [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .stall]
        )
        defer { server.stop() }
        let transport = try CurlTransport.plain()
        let request = HTTPRequest(method: "GET", url: server.root)
        let answer = try await transport.send(request, options: HTTPRequestOptions.patient)
        let task = Task { try await answer.body.collect(upTo: 5) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await server.waitForEnds(1)
    }

    @Test func doesNothingForACancelledTask() async throws {
        let server = try RawServer([.read, .stall])
        defer { server.stop() }
        let transport = try CurlTransport.plain()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await transport.exchange("POST", server.root)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.connectionCount == 0)
    }

    @Test func givesTheConnectionUpWithTheBody() async throws {
        let server = try RawServer(
            [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .stall]
        )
        defer { server.stop() }
        let transport = try CurlTransport.plain()
        let request = HTTPRequest(method: "GET", url: server.root)
        #expect(
            try await transport.send(request, options: HTTPRequestOptions.patient).status == 200
        )
        await server.waitForEnds(1)
    }

    @Test func endsItsConnectionsWithItself() async throws {
        let server = try RawServer([.read, .send(emptyAnswer), .stall])
        defer { server.stop() }
        _ = try await CurlTransport.plain().exchange("GET", server.root)
        await server.waitForEnds(1)
    }
}
