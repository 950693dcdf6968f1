import ODataProtocol
import Synchronization

/// Hands events on to any number of readers; each gets all of them.
final class EventHub: Sendable {
    private let state = Mutex<(next: Int, open: [Int: AsyncStream<ResourceEvent>.Continuation])>(
        (0, [:])
    )

    /// Whether anybody reads.
    var hasReaders: Bool { state.guarded { !$0.open.isEmpty } }

    func stream() -> AsyncStream<ResourceEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ResourceEvent.self)
        let number = state.guarded { state in
            state.next += 1
            state.open[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.guarded { $0.open[number] = nil }
        }
        return stream
    }

    func tell(_ event: ResourceEvent) {
        let readers = state.guarded { Array($0.open.values) }
        for reader in readers { reader.yield(event) }
    }
}
