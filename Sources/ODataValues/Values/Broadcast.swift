import Synchronization

/// Hands what happens on to any number of readers.
package final class Broadcast<Element: Sendable>: Sendable {
    private typealias Buffering = AsyncStream<Element>.Continuation.BufferingPolicy

    private let state = Mutex(State())
    private let buffering: Buffering
    /// The number of subscribers; usually none, while values are sent often.
    private let openCount = Atomic<Int>(0)

    private struct State: Sendable {
        var next = 0
        var open: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    /// Creates one that has no readers yet.
    ///
    /// - Parameter keepsAll: Whether a slow reader gets all elements; else only the newest.
    package init(keepsAll: Bool = false) {
        buffering = keepsAll ? .unbounded : .bufferingNewest(1)
    }

    /// Whether it has readers.
    package var hasReaders: Bool { openCount.load(ordering: .sequentiallyConsistent) > 0 }

    /// Opens a sequence; it ends with its reader.
    package func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: buffering
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

    /// Sends an element to every reader.
    package func send(_ element: Element) {
        guard hasReaders else { return }
        let open = state.guarded { Array($0.open.values) }
        for continuation in open { continuation.yield(element) }
    }
}
