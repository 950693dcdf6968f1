import ODataHTTPServer
import ODataHTTP
import TestSupport
import Testing

/// Connections that say nothing.
@Suite struct HTTPListenerSilenceTests {
    @Test func answersAfterSilentConnectionsHaveTakenEveryPlace() async throws {
        var limits = HTTPListenerLimits()
        limits.connections = 4
        limits.firstByteTimeout = .seconds(1)
        let listener = try HTTPListener(
            answering: Answering { _ in
                .response(HTTPResponse(status: 200, body: [0x21]))
            },
            limits: limits
        )
        var silent: [TCPSocket] = []
        for _ in 0..<6 { silent.append(try TCPSocket(connectingTo: listener.port)) }

        let clock = ContinuousClock()
        let start = clock.now
        let text = try await HTTPListenerTests.talk(
            listener.port,
            "GET /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\nConnection: close\r\n\r\n"
        )

        #expect(text.hasSuffix("!"))
        #expect(clock.now - start < .seconds(300))
        withExtendedLifetime(silent) {}
        await listener.stop()
    }

    @Test(arguments: ["", "GET /", "GET / HTTP/1.1\r\nHost: local"])
    func closesASilentConnectionThoughThereIsRoom(_ start: String) async throws {
        var limits = HTTPListenerLimits()
        limits.roomyFirstByteTimeout = .seconds(1)
        let listener = try HTTPListener(
            answering: Answering { _ in .response(HTTPResponse(status: 200)) },
            limits: limits
        )
        let clock = ContinuousClock()
        let begin = clock.now
        let silent = try TCPSocket(connectingTo: listener.port)
        if !start.isEmpty { #expect(silent.send(start)) }

        #expect(silent.receiveAll().isEmpty)
        #expect(clock.now - begin < limits.idleTimeout / 2)
        await listener.stop()
    }
}
