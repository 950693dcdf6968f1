import ODataValues
import Synchronization

/// The values that were asked for last, by name.
///
///     asked ──> young ── full ──> old ── forgotten when young is full again
///                 └────── asked ────┘
final class RecentValues<Value: AnyObject & Sendable>: Sendable {
    /// Values of longer names, in bytes, are not kept.
    static var maximumLength: Int { 4_096 }

    private let generationSize: Int
    private let state = Mutex(Generations())

    private struct Generations {
        var young: [String: Value] = [:]
        var old: [String: Value] = [:]
    }

    /// - Parameter capacity: How many values are kept at most.
    init(capacity: Int) { generationSize = max(1, capacity / 2) }

    /// How many values are kept.
    var count: Int { state.guarded { Set($0.young.keys).union($0.old.keys).count } }

    /// Returns the value of a name where it is good, else one made by the function.
    func value(_ name: String, isGood: (Value) -> Bool, make: () -> Value) -> Value {
        let (known, isYoung) = state.guarded { state in
            let young = state.young[name]
            return (young ?? state.old[name], young != nil)
        }
        if let known, isGood(known) {
            if !isYoung { keep(known, named: name) }
            return known
        }
        let made = make()
        if name.utf8.count <= Self.maximumLength { keep(made, named: name) }
        return made
    }

    private func keep(_ value: Value, named name: String) {
        state.guarded { state in
            if state.young.count >= generationSize, state.young[name] == nil {
                (state.old, state.young) = (state.young, [:])
            }
            state.young[name] = value
        }
    }
}
