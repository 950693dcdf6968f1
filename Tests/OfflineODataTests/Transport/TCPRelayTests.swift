import ODataHTTPServer
import ODataHTTP
import OfflineOData
import TestSupport
import Testing

/// The relay that other tests rely on does what its plans say.
@Suite struct TCPRelayTests {
    /// Sends one request through a relay with this plan; the answer, or the error's code.
    private func outcome(
        _ plan: TCPRelay.Plan,
        method: String = "POST"
    ) async throws -> (status: Int?, code: HTTPTransportError.Code?, handled: Int) {
        let counter = Counter()
        let listener = try HTTPListener(
            handler: Counting(counter: counter),
            limits: HTTPListenerLimits()
        )
        let relay = try TCPRelay(to: listener.port, plans: [plan])
        var options = HTTPRequestOptions.patient
        options.isUnrepeatable = true
        if case .stallResponse = plan { options.idleTimeout = .milliseconds(200) }
        var status: Int?
        var code: HTTPTransportError.Code?
        do {
            // The listener knows itself by its own port only.
            status = try await TransportKind.curl.transport().exchange(
                method,
                "http://127.0.0.1:\(relay.port)/a",
                headers: ["Host": "127.0.0.1:\(listener.port)"],
                body: Array("body".utf8),
                options: options
            ).status
        } catch let error as HTTPTransportError {
            code = error.code
        }
        relay.stop()
        await listener.stop()
        return (status, code, counter.count)
    }

    @Test func forwardsRequestsAndResponses() async throws {
        let outcome = try await outcome(.pass)
        #expect(outcome.status == 200)
        #expect(outcome.handled == 1)
    }

    @Test(arguments: [0, 1, 20, 60]) func cutsRequests(after count: Int) async throws {
        let outcome = try await outcome(.cutRequest(after: count))
        #expect(outcome.code == .connectionLost)
        #expect(outcome.handled == 0)
    }

    @Test(arguments: [0, 1, 20, 60]) func cutsResponses(after count: Int) async throws {
        let outcome = try await outcome(.cutResponse(after: count))
        #expect(outcome.code == .connectionLost)
        #expect(outcome.handled == 1)
    }

    @Test func sendsGarbage() async throws {
        let outcome = try await outcome(.garbage(Array("garbage\r\n\r\n".utf8)))
        #expect(outcome.code == .protocolViolation)
        #expect(outcome.handled == 1)
    }

    @Test func dropsResponses() async throws {
        let outcome = try await outcome(.dropResponse)
        #expect(outcome.code == .connectionLost)
        #expect(outcome.handled == 1)
    }

    @Test(arguments: [0, 30]) func leavesAStalledResponseToTheTimeout(after count: Int) async throws
    {
        let outcome = try await outcome(.stallResponse(after: count))
        #expect(outcome.code == .timedOut)
        #expect(outcome.handled == 1)
    }
}

/// Counts what reaches it.
private struct Counting: HTTPHandler {
    let counter: Counter

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        _ = counter.next()
        return HTTPResponse(status: 200, body: Array("a longer answer".utf8))
    }
}
