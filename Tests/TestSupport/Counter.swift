import Synchronization

/// Counts up from one, for whoever asks.
public final class Counter: Sendable {
    private let last = Atomic<Int>(0)

    /// Creates a counter.
    public init() {}

    /// Returns the next number.
    public func next() -> Int {
        last.add(1, ordering: .relaxed).newValue
    }

    /// How often it was asked.
    public var count: Int { last.load(ordering: .relaxed) }
}
