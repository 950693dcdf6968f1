import ODataValues
import ODataHTTPServer
import ODataHTTP
import Synchronization
import TestSupport
import Testing

/// Clients that hang up while their request is being answered.
@Suite struct HTTPListenerHangUpTests {
    @Test(.timeLimit(.minutes(5))) func endsTheReadAndNotTheChange() async throws {
        let gate = Gate()
        let (events, told) = AsyncStream.makeStream(of: String.self)
        let wasChangeCancelled = Mutex(false)
        let listener = try HTTPListener(
            answering: Answering { request in
                guard request.method == "GET" else {
                    told.yield("change begins")
                    await gate.wait()
                    wasChangeCancelled.guarded { $0 = Task.isCancelled }
                    told.yield("change ends")
                    return .response(HTTPResponse(status: 204))
                }
                told.yield("read begins")
                await withTaskCancellationHandler {
                    // Ends by the cancel alone.
                    try? await Task.sleep(for: .seconds(3600))
                } onCancel: {
                    told.yield("read is cancelled")
                }
                return .response(HTTPResponse(status: 200))
            }
        )
        let port = listener.port
        let host = "Host: localhost:\(port)\r\n"
        let sockets = try await onThread {
            let sockets = [
                try TCPSocket(connectingTo: port), try TCPSocket(connectingTo: port),
            ]
            sockets[0].send("POST /a HTTP/1.1\r\n\(host)Content-Length: 1\r\n\r\nx")
            sockets[1].send("GET /a HTTP/1.1\r\n\(host)\r\n")
            return sockets
        }
        var seen: Set<String> = []
        for await event in events {
            seen.insert(event)
            if seen.isSuperset(of: ["change begins", "read begins"]) { break }
        }
        for socket in sockets { socket.close() }
        for await event in events where event == "read is cancelled" { break }
        await gate.open()
        for await event in events where event == "change ends" { break }

        #expect(!wasChangeCancelled.guarded { $0 })
        await listener.stop()
    }

    @Test func answersAClientThatWaits() async throws {
        let gate = Gate()
        let listener = try HTTPListener(
            answering: Answering { _ in
                await gate.wait()
                return .response(HTTPResponse(status: Task.isCancelled ? 500 : 200))
            }
        )
        // The second request is there before the first is answered: bytes are no end.
        let request = "GET /a HTTP/1.1\r\nHost: localhost:\(listener.port)\r\n"
        async let answer = HTTPListenerTests.talk(
            listener.port,
            request + "\r\n" + request + "Connection: close\r\n\r\n"
        )
        await gate.waitUntilSomebodyWaits()
        await gate.open()

        #expect(try await answer.matches(of: /HTTP\/1.1 200/).count == 2)
        await listener.stop()
    }
}
