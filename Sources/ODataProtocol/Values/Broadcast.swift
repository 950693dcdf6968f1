import Synchronization

/// Tells every reader of its sequences the newest of what happens; a reader that is slow misses what came in between.
package final class Broadcast<Element: Sendable>: Sendable {
    private let state = Mutex(State())

    private struct State: Sendable {
        var next = 0
        var open: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    /// Creates one that nobody reads yet.
    package init() {}

    /// Opens a sequence; it ends with its reader.
    package func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: .bufferingNewest(1)
        )
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

    /// Tells every reader.
    package func tell(_ element: Element) {
        let open = state.guarded { Array($0.open.values) }
        for continuation in open { continuation.yield(element) }
    }
}
