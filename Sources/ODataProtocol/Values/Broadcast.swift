import Synchronization

/// Tells every reader of its sequences the newest of what happens; a reader that is slow misses what came in between.
package final class Broadcast<Element: Sendable>: Sendable {
    private let state = Mutex(State())
    /// How many sequences are open; most often there is none, and what is told is told often.
    private let openCount = Atomic<Int>(0)

    private struct State: Sendable {
        var next = 0
        var open: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    /// Creates one that nobody reads yet.
    package init() {}

    /// Whether somebody reads a sequence.
    package var hasReaders: Bool { openCount.load(ordering: .sequentiallyConsistent) > 0 }

    /// Opens a sequence; it ends with its reader.
    package func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = state.guarded { state in
            state.next += 1
            state.open[state.next] = continuation
            openCount.store(state.open.count, ordering: .sequentiallyConsistent)
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.close(number) }
        return stream
    }

    private func close(_ number: Int) {
        state.guarded { state in
            state.open[number] = nil
            openCount.store(state.open.count, ordering: .sequentiallyConsistent)
        }
    }

    /// Tells every reader.
    package func tell(_ element: Element) {
        guard hasReaders else { return }
        let open = state.guarded { Array($0.open.values) }
        for continuation in open { continuation.yield(element) }
    }
}
