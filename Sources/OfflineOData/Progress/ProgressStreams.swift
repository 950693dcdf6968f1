import ODataProtocol
import Synchronization

/// The sequences by which applications follow progress.
final class ProgressStreams: Sendable {
    private let state = Mutex<State>(State())

    private struct State {
        var next = 0
        var open: [Int: AsyncStream<OfflineODataProgress>.Continuation] = [:]
    }

    /// Opens a sequence; a reader that is slow gets the newest progress only.
    func stream() -> AsyncStream<OfflineODataProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: OfflineODataProgress.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = state.guarded { state in
            state.next += 1
            state.open[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.close(number)
        }
        return stream
    }

    private func close(_ number: Int) {
        state.guarded { $0.open[number] = nil }
    }

    /// Tells every reader.
    func tell(_ progress: OfflineODataProgress) {
        let open = state.guarded { Array($0.open.values) }
        for continuation in open { continuation.yield(progress) }
    }
}
