import ODataProtocol
import Synchronization

/// Tells those who wait for it that something was committed.
package final class StoreChanges: Sendable {
    private let waiting = Mutex(Waiting())

    private struct Waiting {
        var next = 0
        var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    init() {}

    /// A stream with an element after each commit; several before the reader asks become one.
    package func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = waiting.guarded { waiting in
            waiting.next += 1
            waiting.continuations[waiting.next] = continuation
            return waiting.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.waiting.guarded { $0.continuations[id] = nil }
        }
        return stream
    }

    /// Wakes everybody.
    func note() {
        let continuations = waiting.guarded { Array($0.continuations.values) }
        for continuation in continuations { continuation.yield() }
    }
}
