import ODataProtocol
import Synchronization

/// A network in front of another transport: every request waits for a round trip, and all bodies share one bandwidth.
///
///     request ── half a round trip ── its bytes ──> service ── the answer's bytes ── half a round trip ──> answer
final class SlowNetwork: HTTPTransport {
    private let inner: any HTTPTransport
    private let roundTrip: Duration
    /// Bytes a second in each direction; nil for as many as there are.
    private let bandwidth: Int?
    private let state = Mutex(State())

    private struct State {
        var requests = 0
        var bytes = 0
        /// Until when each direction is taken.
        var busy: [ContinuousClock.Instant?] = [nil, nil]
    }

    init(_ inner: any HTTPTransport, roundTrip: Duration, bandwidth: Int? = nil) {
        (self.inner, self.roundTrip, self.bandwidth) = (inner, roundTrip, bandwidth)
    }

    /// Requests and bytes of bodies since the last call.
    func taken() -> (requests: Int, bytes: Int) {
        state.withLock { state in
            defer { (state.requests, state.bytes) = (0, 0) }
            return (state.requests, state.bytes)
        }
    }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        state.withLock { $0.requests += 1 }
        try await cross(request.body.count, direction: 0)
        let response = try await inner.send(request, options: options)
        var body: [UInt8] = []
        for try await chunk in response.body { body += chunk }
        try await cross(body.count, direction: 1)
        return HTTPStreamingResponse(
            status: response.status,
            headers: response.headers,
            body: HTTPBody(body)
        )
    }

    private func cross(_ bytes: Int, direction: Int) async throws {
        let arrival = state.withLock { state -> ContinuousClock.Instant in
            state.bytes += bytes
            var end = ContinuousClock.now
            if let bandwidth {
                let start = max(end, state.busy[direction] ?? end)
                end = start + .seconds(Double(bytes) / Double(bandwidth))
                state.busy[direction] = end
            }
            return end + roundTrip / 2
        }
        try await Task.sleep(until: arrival)
    }
}
