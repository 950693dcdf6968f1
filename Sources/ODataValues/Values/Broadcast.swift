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
        var isFinished = false
    }

    /// Creates one that has no readers yet.
    ///
    /// - Parameter keepsAll: Whether a slow reader gets all elements; else only the newest.
    package init(keepsAll: Bool = false) {
        buffering = keepsAll ? .unbounded : .bufferingNewest(1)
    }

    /// Whether it has readers.
    package var hasReaders: Bool { openCount.load(ordering: .sequentiallyConsistent) > 0 }

    /// Opens a sequence; it ends with its reader, or when nothing more comes.
    package func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: buffering
        )
        let number: Int? = state.guarded { state in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.open[state.next] = continuation
            openCount.store(state.open.count, ordering: .sequentiallyConsistent)
            return state.next
        }
        if let number {
            continuation.onTermination = { [weak self] _ in self?.close(number) }
        } else {
            continuation.finish()
        }
        return stream
    }

    /// Ends the sequences of all readers, and those that are opened from now on.
    package func finish() {
        let open = state.guarded { state in
            state.isFinished = true
            return Array(state.open.values)
        }
        for continuation in open { continuation.finish() }
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
