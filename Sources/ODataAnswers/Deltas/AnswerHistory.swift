import ODataValues
import Synchronization

/// The states that delta links begin at, as long as they are remembered: in memory, the newest ones.
package final class AnswerHistory: Sendable {
    /// Entities that all states together may have; a result of more is not tracked.
    package static let defaultLimit = 250_000

    private let limit: Int
    private let states = Mutex(States())

    private struct States {
        var byNumber: [Int64: (request: String, state: AnswerState)] = [:]
        /// Oldest first.
        var order: [Int64] = []
        var newest: Int64 = 0
        var size = 0

        mutating func forget(_ number: Int64) {
            order.removeAll { $0 == number }
            size -= (byNumber.removeValue(forKey: number)?.state.entities.count ?? -1) + 1
        }
    }

    package init(limit: Int = defaultLimit) {
        self.limit = limit
    }

    /// Remembers what a request answered; the states that were not asked for longest are forgotten for it.
    ///
    /// - Returns: Its number; nil where it is too large.
    func remember(_ state: AnswerState, of request: String) -> Int64? {
        let size = state.entities.count + 1
        guard size <= limit else { return nil }
        return states.guarded { states in
            while states.size + size > limit, let oldest = states.order.first {
                states.forget(oldest)
            }
            states.newest += 1
            states.byNumber[states.newest] = (request, state)
            states.order.append(states.newest)
            states.size += size
            return states.newest
        }
    }

    /// Returns the state with a number, if it is one of the request and still remembered.
    func state(_ number: Int64, of request: String) -> AnswerState? {
        states.guarded { states in
            guard let known = states.byNumber[number], known.request == request else { return nil }
            states.order.removeAll { $0 == number }
            states.order.append(number)
            return known.state
        }
    }
}
