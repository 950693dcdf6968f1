/// A value in memory, or one that is read with others on first use.
package struct Deferred<Value: Sendable>: Sendable {
    /// What is there already.
    var present: Value
    private var late: LateItem<Value>?

    /// Creates a value that is there.
    package init(_ value: Value) { present = value }

    /// Has the value read on first use; where that fails, the value in memory counts.
    package mutating func read(_ item: LateItem<Value>) { late = item }

    /// The value.
    package var value: Value {
        get { late?.value ?? present }
        _modify {
            if late != nil {
                present = value
                late = nil
            }
            yield &present
        }
    }
}
