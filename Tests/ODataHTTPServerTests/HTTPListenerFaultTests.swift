import ODataValues
import ODataHTTPServer
import ODataHTTP
import Synchronization
import TestSupport
import Testing

@Suite struct HTTPListenerFaultTests {
    private func talk(to answer: HTTPAnswer) async throws -> String {
        let listener = try HTTPListener(answering: Answering { _ in answer })
        let text = try await HTTPListenerTests.talk(
            listener.port,
            "POST /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\nContent-Length: 1\r\n\r\nx"
        )
        await listener.stop()
        return text
    }

    @Test func dropsTheConnection() async throws {
        #expect(try await talk(to: .dropConnection).isEmpty)
    }

    @Test(arguments: [0, 1, 5, 9]) func cutsTheBody(after bytes: Int) async throws {
        let response = HTTPResponse(status: 200, body: Array("0123456789".utf8))
        let text = try await talk(to: .truncatedBody(response, bytes: bytes))
        #expect(text.contains("\r\nContent-Length: 10\r\n"))
        #expect(text.hasSuffix("\r\n\r\n" + "0123456789".prefix(bytes)))
    }

    @Test func sendsGarbage() async throws {
        #expect(try await talk(to: .rawBytes(Array("no HTTP\n".utf8))) == "no HTTP\n")
    }

    @Test func stopWaitsForARunningRequest() async throws {
        let gate = Gate()
        let listener = try HTTPListener(
            answering: Answering { _ in
                await gate.wait()
                return .response(HTTPResponse(status: 200, body: [0x21]))
            }
        )
        async let answer = HTTPListenerTests.talk(
            listener.port,
            "GET /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\nConnection: close\r\n\r\n"
        )
        await gate.waitUntilSomebodyWaits()
        async let stopped: Void = listener.stop()
        await gate.open()
        #expect(try await answer.hasSuffix("!"))
        await stopped
    }

    @Test func stopCancelsWhatTakesTooLong() async throws {
        var limits = HTTPListenerLimits()
        limits.stopGrace = .milliseconds(1)
        let started = Gate()
        let wasCancelled = Mutex(false)
        let listener = try HTTPListener(
            answering: Answering { _ in
                await started.open()
                try? await Task.sleep(for: .seconds(3600))
                wasCancelled.guarded { $0 = Task.isCancelled }
                return .dropConnection
            },
            limits: limits
        )
        async let answer = HTTPListenerTests.talk(
            listener.port,
            "GET /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\n\r\n"
        )
        await started.wait()
        await listener.stop()
        #expect(wasCancelled.guarded { $0 })
        #expect(try await answer.isEmpty)
    }

    @Test func stopsTwice() async throws {
        let listener = try HTTPListener(handler: Echo())
        await listener.stop()
        await listener.stop()
        #expect(throws: TCPSocket.Failure.self) { try TCPSocket(connectingTo: listener.port) }
    }
}
