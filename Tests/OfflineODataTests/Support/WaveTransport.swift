import ODataValues
import ODataHTTP
import Synchronization

/// Answers requests in waves, as a network with a long way does: each wave when all of its requests have come.
///
/// Requests that wait for others' answers can never fill a wave, and the test would wait for ever.
final class WaveTransport: HTTPTransport {
    private let service: any HTTPTransport
    private let state: Mutex<State>

    private struct State {
        /// Requests of the waves that have not been answered.
        var waves: [Int] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isPassing = true
        /// Requests that came besides the waves.
        var besides = 0
    }

    init(_ service: any HTTPTransport) {
        self.service = service
        state = Mutex(State())
    }

    /// Waves that are still to come, and requests that came besides them.
    var rest: [Int] { state.guarded { $0.waves + ($0.besides > 0 ? [$0.besides] : []) } }

    /// Answers in waves of these sizes from now on.
    func expect(_ waves: [Int]) {
        state.guarded {
            $0.waves = waves
            $0.isPassing = false
        }
    }

    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse
    {
        await wait()
        return try await service.send(request, options: options)
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let answered = state.guarded { state -> [CheckedContinuation<Void, Never>] in
                guard !state.isPassing, let size = state.waves.first else {
                    if !state.isPassing { state.besides += 1 }
                    return [continuation]
                }
                state.waiting.append(continuation)
                guard state.waiting.count == size else { return [] }
                state.waves.removeFirst()
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in answered { continuation.resume() }
        }
    }
}
