/// A value that is there, or is read with others when somebody asks for it.
package struct Deferred<Value: Sendable>: Sendable {
    /// What is there already.
    var present: Value
    private var late: LateItem<Value>?

    /// Creates a value that is there.
    package init(_ value: Value) { present = value }

    /// Lets the value be read when somebody asks for it; what is there counts where it cannot be read.
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
