import ODataHTTPServer
import ODataHTTP
import Synchronization
import TestSupport
import Testing

/// Answers what a closure answers.
struct Answering: HTTPAnswering {
    let body: @Sendable (HTTPRequest) async -> HTTPAnswer

    func answer(to request: HTTPRequest) async -> HTTPAnswer { await body(request) }
}

/// Says back what it was asked.
struct Echo: HTTPHandler {
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "text/plain", "X-Method": request.method],
            body: Array("\(request.method) \(request.url) ".utf8) + request.body
        )
    }
}

@Suite struct HTTPListenerTests {
    /// Sends bytes and returns all that comes until the listener closes.
    static func talk(_ port: UInt16, _ text: String) async throws -> String {
        try await onThread {
            let socket = try TCPSocket(connectingTo: port)
            defer { socket.close() }
            socket.send(text)
            return HTTPText.text(socket.receiveAll())
        }
    }

    @Test func answersWithTheBodyAndItsLength() async throws {
        let listener = try HTTPListener(handler: Echo())
        let answer = try await Self.talk(
            listener.port,
            "POST /a HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\nContent-Length: 3\r\n"
                + "Connection: close\r\n\r\nxyz"
        )
        await listener.stop()
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("\r\nContent-Length: 11\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nPOST /a xyz"))
    }

    @Test(arguments: ["/S('a%2Fb')?$filter=x%20eq%20'%26'&$top=1", "/%24batch", "/a?b=c+d#f"])
    func keepsTheTargetAsItWasWritten(target: String) async throws {
        let listener = try HTTPListener(handler: Echo())
        let answer = try await Self.talk(
            listener.port,
            "GET \(target) HTTP/1.1\r\nHost: localhost:\(listener.port)\r\n"
                + "Connection: close\r\n\r\n"
        )
        await listener.stop()
        #expect(answer.hasSuffix("\r\n\r\nGET \(target) "))
    }

    @Test func takesMethodsOfOldVersions() async throws {
        let listener = try HTTPListener(handler: Echo())
        let answer = try await Self.talk(
            listener.port,
            "MERGE /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\nContent-Length: 1\r\n"
                + "Connection: close\r\n\r\nb"
        )
        await listener.stop()
        #expect(answer.hasSuffix("\r\n\r\nMERGE /a b"))
    }

    @Test func answersHeadWithTheLengthOnly() async throws {
        let listener = try HTTPListener(handler: Echo())
        let answer = try await Self.talk(
            listener.port,
            "HEAD /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\nConnection: close\r\n\r\n"
        )
        await listener.stop()
        #expect(answer.contains("\r\nContent-Length: 8\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test func keepsTheConnectionForTheNextRequest() async throws {
        let listener = try HTTPListener(handler: Echo())
        let port = listener.port
        let answers = try await onThread {
            let socket = try TCPSocket(connectingTo: port)
            defer { socket.close() }
            return ["/1", "/2", "/3"].map { target in
                socket.send("GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                return HTTPText.text(socket.receiveMessage())
            }
        }
        await listener.stop()
        #expect(answers.map { String($0.suffix(7)) } == ["GET /1 ", "GET /2 ", "GET /3 "])
    }

    @Test func takesChunkedBodies() async throws {
        let listener = try HTTPListener(handler: Echo())
        let answer = try await Self.talk(
            listener.port,
            "POST /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\n"
                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        )
        await listener.stop()
        #expect(answer.hasSuffix("POST /a abcde"))
    }

    @Test func asksForTheBodyWhereTheClientWaits() async throws {
        let listener = try HTTPListener(handler: Echo())
        let port = listener.port
        let (interim, answer) = try await onThread {
            let socket = try TCPSocket(connectingTo: port)
            defer { socket.close() }
            socket.send(
                "POST /a HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Length: 2\r\n"
                    + "Expect: 100-continue\r\nConnection: close\r\n\r\n"
            )
            let interim = socket.receiveMessage(hasBody: false)
            socket.send("hi")
            return (HTTPText.text(interim), HTTPText.text(socket.receiveAll()))
        }
        await listener.stop()
        #expect(interim == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(answer.hasSuffix("POST /a hi"))
    }

    @Test func carriesLargeBodiesBothWays() async throws {
        let listener = try HTTPListener(handler: Echo())
        let port = listener.port
        let body = [UInt8](repeating: 0x61, count: 3_000_000)
        let answer = try await onThread {
            let socket = try TCPSocket(connectingTo: port)
            defer { socket.close() }
            socket.send(
                "POST /a HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Length: \(body.count)\r\n"
                    + "Connection: close\r\n\r\n"
            )
            socket.send(body)
            return socket.receiveAll()
        }
        await listener.stop()
        let start = try #require(HTTPText.bodyStart(answer))
        #expect(answer.count - start == body.count + 8)
        #expect(answer.suffix(body.count).elementsEqual(body))
    }

    @Test func letsOthersPassAHandlerThatWaits() async throws {
        let gate = Gate()
        let listener = try HTTPListener(
            answering: Answering { request in
                if request.url == "/slow" { await gate.wait() }
                return .response(HTTPResponse(status: 200, body: Array(request.url.utf8)))
            }
        )
        let port = listener.port
        func get(_ target: String) async throws -> String {
            try await Self.talk(
                port,
                "GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n"
            )
        }
        async let slow = get("/slow")
        await gate.waitUntilSomebodyWaits()
        for _ in 1...5 { #expect(try await get("/fast").hasSuffix("/fast")) }
        await gate.open()
        #expect(try await slow.hasSuffix("/slow"))
        await listener.stop()
    }
}

/// Lets one side wait for the other without sleeping.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        guard !isOpen else { return }
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            for watcher in watching { watcher.resume() }
            watching = []
        }
    }

    func waitUntilSomebodyWaits() async {
        guard waiting.isEmpty else { return }
        await withCheckedContinuation { watching.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
