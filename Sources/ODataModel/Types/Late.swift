import Synchronization

/// A value that is read once, on first use.
///
/// The largest models have thousands of types, of which a process that asks for one entity needs a few.
package final class Late<Value: Sendable>: Sendable {
    private let read: @Sendable () -> Value
    private let known = AtomicLazyReference<Known>()

    private final class Known: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// Creates a value that a closure reads; two threads may call it at once.
    package init(reading read: @escaping @Sendable () -> Value) { self.read = read }

    /// The value.
    package var value: Value {
        if let known = known.load() { return known.value }
        return known.storeIfNil(Known(read())).value
    }
}
