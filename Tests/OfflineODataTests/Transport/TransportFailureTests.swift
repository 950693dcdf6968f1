import ODataHTTPServer
import ODataHTTP
import OfflineOData
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct TransportFailureTests {
    /// What a request to a server with these scripts ends with; since it has left, it is never certainly unsent.
    private func code(
        _ kind: TransportKind,
        _ scripts: [RawServer.Step],
        method: String = "GET",
        body: [UInt8] = [],
        options: HTTPRequestOptions = HTTPRequestOptions.patient
    ) async throws -> HTTPTransportError.Code? {
        let server = try RawServer(scripts)
        defer { server.stop() }
        do {
            _ = try await kind.transport()
                .exchange(method, server.root, body: body, options: options)
            return nil
        } catch let error as HTTPTransportError {
            #expect(!error.isCertainlyUnsent, "\(error)")
            return error.code
        }
    }

    // MARK: - Sent or not

    @Test(arguments: TransportKind.allCases) func tellsThatNothingWasSent(kind: TransportKind)
        async throws
    {
        let socket = try TCPSocket(listening: ())
        let url = "http://127.0.0.1:\(socket.port)/"
        socket.close()
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await kind.transport().exchange("GET", url)
        }
    }

    @Test(arguments: TransportKind.allCases) func tellsThatANameIsUnknown(kind: TransportKind)
        async throws
    {
        await #expect(throws: HTTPTransportError(.notConnected, "")) {
            try await kind.transport().exchange("POST", "http://unknown.invalid/")
        }
    }

    @Test(arguments: TransportKind.allCases) func tellsThatTLSFailed(kind: TransportKind)
        async throws
    {
        let server = try RawServer([.readBytes(1), .send("no TLS")])
        defer { server.stop() }
        let error = await #expect(throws: HTTPTransportError(kind.insecure, "")) {
            try await kind.transport().exchange("POST", "https://127.0.0.1:\(server.port)/")
        }
        #expect(error?.isCertainlyUnsent == !kind.isFoundationOnLinux)
    }

    @Test(arguments: ["GET", "POST", "DELETE"], TransportKind.allCases)
    func tellsThatTheAnswerIsMissing(method: String, kind: TransportKind)
        async throws
    {
        #expect(try await code(kind, [.read], method: method) == .connectionLost)
        #expect(try await code(kind, [.read, .reset], method: method) == .connectionLost)
    }

    private static let line = "HTTP/1.1 200 OK\r\n"
    private static let fields = "ETag: W/\"1\"\r\nContent-Length: 5\r\n\r\n"
    private static let answer = line + fields + "abcde"

    /// Cuts after which Foundation on Linux ends the process itself: between the first line and the end of the header fields.
    private static let deadly = line.utf8.count...line.utf8.count + fields.utf8.count - 3

    /// Bytes after which the answer is cut.
    private static func cuts(_ kind: TransportKind) -> [Int] {
        (0..<answer.utf8.count).filter { !kind.isFoundationOnLinux || !deadly.contains($0) }
    }

    @Test(arguments: ["GET", "POST", "DELETE"], TransportKind.allCases)
    func tellsThatAnAnswerWasCutAtAnyByte(method: String, kind: TransportKind) async throws {
        let body: [UInt8] = method == "POST" ? [0x7B, 0x7D] : []
        for count in Self.cuts(kind) {
            let cut = RawServer.Step.send(Array(Self.answer.utf8.prefix(count)))
            let code = try await code(kind, [.read, cut], method: method, body: body)
            #expect(code == .connectionLost, "after \(count) bytes")
        }
        #expect(try await code(kind, [.read, .send(Self.answer)], method: method) == nil)
    }

    #if canImport(FoundationNetworking)
        /// A known difference: `URLSession` on Linux ends the process.
        ///
        /// See swift-corelibs-foundation, `NativeProtocol.swift`: "Transfer completed, but there's no response". The request stays noted as sent, so that the next process asks what became of it.
        @Test(arguments: [deadly.lowerBound, deadly.lowerBound + 7, deadly.upperBound])
        func endsTheProcessWhereFoundationDoes(count: Int) async throws {
            await #expect(processExitsWith: .failure) { [count = count as Int] in
                try await TransportFailureTests.post(
                    Array(TransportFailureTests.answer.utf8.prefix(count))
                )
            }
        }

        /// The same for a field behind a body in chunks.
        @Test func endsTheProcessForATrailer() async throws {
            await #expect(processExitsWith: .failure) {
                let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                let text = head + "2\r\nab\r\n0\r\nETag: W/\"9\"\r\n\r\n"
                try await TransportFailureTests.post(Array(text.utf8))
            }
        }

        /// Sends a change to a server with this answer, in a process that is to end.
        private static func post(_ answer: [UInt8]) async throws {
            // Without the report of a crash, which takes seconds.
            for number in [SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
            let server = try RawServer([.read, .send(answer)])
            _ = try? await TransportKind.urlSession.transport().exchange("POST", server.root)
        }
    #endif

    @Test(arguments: TransportKind.allCases) func tellsThatAChunkIsMissing(kind: TransportKind)
        async throws
    {
        let cut = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n"
        #expect(try await code(kind, [.read, .send(cut)]) == .connectionLost)
    }

    @Test(
        arguments: ["garbage\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "\0\u{1}\u{2}\u{3}\u{4}\r\n"],
        TransportKind.allCases
    )
    func tellsThatAnAnswerIsNoHTTP(answer: String, kind: TransportKind) async throws {
        #expect(try await code(kind, [.read, .send(answer)]) == .protocolViolation)
    }

    @Test(arguments: TransportKind.allCases) func refusesAnEndlessHead(kind: TransportKind)
        async throws
    {
        let head =
            "HTTP/1.1 200 OK\r\n"
            + String(repeating: "X: \(String(repeating: "y", count: 1000))\r\n", count: 400)
        // Foundation on Linux has no code for it.
        let expected =
            kind.isFoundationOnLinux
            ? HTTPTransportError.Code.connectionLost : .protocolViolation
        #expect(try await code(kind, [.read, .send(head), .stall]) == expected)
    }

    @Test(arguments: TransportKind.allCases) func tellsThatTheServiceIsSilent(kind: TransportKind)
        async throws
    {
        var options = HTTPRequestOptions.patient
        options.idleTimeout = .milliseconds(200)
        #expect(try await code(kind, [.read, .stall], options: options) == .timedOut)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"
        #expect(try await code(kind, [.read, .send(head), .stall], options: options) == .timedOut)
    }

    @Test(arguments: TransportKind.allCases) func endsATransferThatTakesTooLong(kind: TransportKind)
        async throws
    {
        let server = try RawServer([.read, .stall])
        defer { server.stop() }
        await #expect(throws: HTTPTransportError(.timedOut, "")) {
            try await kind.transport { $0.wholeTimeout = .milliseconds(50) }
                .exchange("GET", server.root)
        }
    }

    @Test(arguments: TransportKind.allCases) func isSureOnlyWhereNothingWasSent(kind: TransportKind)
        async throws
    {
        let server = try RawServer([.read, .send("garbage\r\n\r\n")])
        defer { server.stop() }
        let transport = try kind.transport()
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
    @Test(arguments: ["POST", "PATCH", "DELETE"], TransportKind.allCases) func sendsAWriteOnce(
        method: String,
        kind: TransportKind
    ) async throws {
        let answer = RawServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let server = try RawServer([.read, answer, .read], [.read], [.read, answer])
        defer { server.stop() }
        let transport = try kind.transport { $0.curl.longestRestBeforeChange = .seconds(3600) }
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
        let transport = try TransportKind.curl.transport { $0.curl.longestRestBeforeChange = rest }
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
    @Test(arguments: TransportKind.allCases) func repeatsAReadOnAKeptConnection(kind: TransportKind)
        async throws
    {
        let answer = RawServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let server = try RawServer([.read, answer, .read], [.read, answer])
        defer { server.stop() }
        let transport = try kind.transport()
        _ = try await transport.exchange("GET", server.root)
        #expect(try await transport.exchange("GET", server.root).status == 200)
        #expect(server.messages.count == 3)
    }

    // MARK: - Refused before sending

    @Test(
        arguments: [
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
        ],
        TransportKind.allCases
    )
    func refusesWhatCannotBeSaid(request: HTTPRequest, kind: TransportKind) async throws {
        let transport = try kind.transport()
        let error = await #expect(throws: HTTPTransportError.self) {
            try await transport.send(request, options: HTTPRequestOptions.patient)
        }
        #expect(error?.code == .protocolViolation)
        #expect(error?.isCertainlyUnsent == true)
    }

    // MARK: - Cancelling

    @Test(arguments: TransportKind.allCases) func cancelsWhileWaitingForTheHead(kind: TransportKind)
        async throws
    {
        let server = try RawServer([.read, .stall])
        defer { server.stop() }
        let transport = try kind.transport()
        let task = Task { try await transport.exchange("POST", server.root) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: TransportKind.allCases) func cancelsWhileReadingTheBody(kind: TransportKind)
        async throws
    {
        let server = try RawServer(
            [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .stall]
        )
        defer { server.stop() }
        let transport = try kind.transport()
        let request = HTTPRequest(method: "GET", url: server.root)
        let answer = try await transport.send(request, options: HTTPRequestOptions.patient)
        let task = Task { try await answer.body.collect(upTo: 5) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await server.waitForEnds(1)
    }

    @Test(arguments: TransportKind.allCases) func doesNothingForACancelledTask(kind: TransportKind)
        async throws
    {
        let server = try RawServer([.read, .stall])
        defer { server.stop() }
        let transport = try kind.transport()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await transport.exchange("POST", server.root)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: TransportKind.allCases) func givesTheConnectionUpWithTheBody(
        kind: TransportKind
    ) async throws {
        let server = try RawServer(
            [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .stall]
        )
        defer { server.stop() }
        let transport = try kind.transport()
        let request = HTTPRequest(method: "GET", url: server.root)
        #expect(
            try await transport.send(request, options: HTTPRequestOptions.patient).status == 200
        )
        await server.waitForEnds(1)
    }

    @Test(arguments: TransportKind.allCases) func endsItsConnectionsWithItself(kind: TransportKind)
        async throws
    {
        let server = try RawServer([.read, .send(emptyAnswer), .stall])
        defer { server.stop() }
        _ = try await kind.transport().exchange("GET", server.root)
        await server.waitForEnds(1)
    }
}
