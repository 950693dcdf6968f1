import ODataHTTPServer
import TestSupport
import Testing

@Suite struct HTTPListenerRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        /// PORT stands for the listener's port.
        let request: String

        var testDescription: String { "\(status): \(request.prefix(60))" }
    }

    static let end = "Connection: close\r\n\r\n"
    static let cases = [
        Case(status: 421, request: "GET /a HTTP/1.1\r\nHost: evil.example:PORT\r\n" + end),
        Case(status: 421, request: "GET /a HTTP/1.1\r\nHost: localhost:1\r\n" + end),
        Case(status: 421, request: "GET /a HTTP/1.1\r\nHost: localhost\r\n" + end),
        Case(
            status: 421,
            request: "GET http://evil.example/a HTTP/1.1\r\nHost: localhost:PORT\r\n" + end
        ),
        Case(
            status: 421,
            request: "GET HTTP://localhost:1?a HTTP/1.1\r\nHost: localhost:PORT\r\n" + end
        ),
        Case(status: 400, request: "GET /a HTTP/1.1\r\n" + end),
        Case(
            status: 400,
            request: "GET /a HTTP/1.1\r\nHost: localhost:PORT\r\nHost: localhost:PORT\r\n" + end
        ),
        Case(
            status: 400,
            request: "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 5\r\n"
                + "Transfer-Encoding: chunked\r\n" + end + "0\r\n\r\n"
        ),
        Case(
            status: 400,
            request: "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: xchunked\r\n"
                + end + "0\r\n\r\n"
        ),
        Case(
            status: 400,
            request:
                "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: chunked, gzip\r\n"
                + end + "0\r\n\r\n"
        ),
        Case(
            status: 501,
            request:
                "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: gzip, chunked\r\n"
                + end + "0\r\n\r\n"
        ),
        Case(
            status: 400,
            request: "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 1\r\n"
                + "Content-Length: 20\r\n" + end + "bGET /b HTTP/1.1\r\n\r\n"
        ),
        Case(
            status: 403,
            request: "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nOrigin: https://evil.example\r\n"
                + "Content-Length: 0\r\n" + end
        ),
        Case(
            status: 403,
            request: "GET /a HTTP/1.1\r\nHost: localhost:PORT\r\nSec-Fetch-Site: cross-site\r\n"
                + "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n" + end
        ),
        Case(
            status: 403,
            request: "GET /a HTTP/1.1\r\nHost: localhost:PORT\r\nSec-Fetch-Site: same-site\r\n"
                + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n" + end
        ),
        Case(
            status: 403,
            request: "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nSec-Fetch-Site: cross-site\r\n"
                + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nContent-Length: 0\r\n"
                + end
        ),
        Case(
            status: 414,
            request: "GET /\(String(repeating: "a", count: 2000)) HTTP/1.1\r\n"
                + "Host: localhost:PORT\r\n" + end
        ),
        Case(
            status: 431,
            request: "GET /a HTTP/1.1\r\nHost: localhost:PORT\r\n"
                + "X: \(String(repeating: "a", count: 20000))\r\n" + end
        ),
        Case(
            status: 431,
            request: "GET /a HTTP/1.1\r\nHost: localhost:PORT\r\n"
                + "X: \(String(repeating: "a", count: 8200))\r\n" + end
        ),
        Case(
            status: 413,
            request: "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 101\r\n" + end
        ),
        Case(
            status: 413,
            request: "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nTransfer-Encoding: chunked\r\n"
                + end + "65\r\n\(String(repeating: "b", count: 101))\r\n0\r\n\r\n"
        ),
        Case(
            status: 400,
            request: "POST /a HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: -5\r\n" + end
        ),
    ]

    static var limits: HTTPListenerLimits {
        var limits = HTTPListenerLimits()
        limits.targetBytes = 1000
        limits.headBytes = 8 * 1024
        limits.bodyBytes = 100
        return limits
    }

    @Test(arguments: cases) func answersFaultyRequestsWithTheirStatus(_ refused: Case) async throws
    {
        let listener = try HTTPListener(handler: Echo(), limits: Self.limits)
        let request = refused.request.split(separator: "PORT", omittingEmptySubsequences: false)
            .joined(separator: "\(listener.port)")
        let answer = try await HTTPListenerTests.talk(listener.port, request)
        await listener.stop()
        #expect(answer.hasPrefix("HTTP/1.1 \(refused.status) "))
    }

    @Test func takesWhatIsAtTheLimit() async throws {
        let listener = try HTTPListener(handler: Echo(), limits: Self.limits)
        let target = "/" + String(repeating: "a", count: 999)
        let body = String(repeating: "b", count: 100)
        let answer = try await HTTPListenerTests.talk(
            listener.port,
            "POST \(target) HTTP/1.1\r\nHost: localhost:\(listener.port)\r\nContent-Length: 100\r\n"
                + "Connection: close\r\n\r\n" + body
        )
        await listener.stop()
        #expect(answer.hasSuffix("POST \(target) \(body)"))
    }

    @Test(arguments: [
        ("", 401), ("Authorization: Bearer secreT\r\n", 401), ("Authorization: Bearer s\r\n", 401),
        ("Authorization: Basic secret\r\n", 401), ("Authorization: Bearer secret\r\n", 200),
        ("Authorization: bearer secret\r\n", 200), ("Authorization: bearer SECRET\r\n", 401),
    ])
    func wantsTheToken(field: String, status: Int) async throws {
        let listener = try HTTPListener(handler: Echo(), token: "secret")
        let answer = try await HTTPListenerTests.talk(
            listener.port,
            "GET /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\n\(field)Connection: close\r\n\r\n"
        )
        await listener.stop()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains("WWW-Authenticate: Bearer\r\n") == (status == 401))
    }

    @Test func survivesWhatIsNoHTTP() async throws {
        let listener = try HTTPListener(handler: Echo(), limits: Self.limits)
        for garbage in [
            "\r\n\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{1}", "GET", "GET  \r\n\r\n", "A B C\r\n\r\n",
        ] {
            _ = try await onThread { [port = listener.port] in
                let socket = try TCPSocket(connectingTo: port)
                socket.send(garbage)
                socket.close()
            }
        }
        let answer = try await HTTPListenerTests.talk(
            listener.port,
            "GET /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\nConnection: close\r\n\r\n"
        )
        await listener.stop()
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func refusesATakenPort() async throws {
        let listener = try HTTPListener(handler: Echo())
        #expect(throws: HTTPListenerError.self) {
            try HTTPListener(handler: Echo(), port: listener.port)
        }
        await listener.stop()
    }
}
