import ODataProtocol
import Synchronization

/// A network whose state the application sets.
public final class ManualReachability: ReachabilitySource {
    private let state: Mutex<State>

    private struct State {
        var isReachable: Bool
        var next = 0
        var subscribers: [Int: AsyncStream<Bool>.Continuation] = [:]
    }

    /// Creates a network in a state.
    public init(isReachable: Bool = true) {
        state = Mutex(State(isReachable: isReachable))
    }

    /// Whether the network is there.
    public var isReachable: Bool { state.guarded { $0.isReachable } }

    /// Sets whether the network is there.
    public func set(isReachable: Bool) {
        let subscribers = state.guarded { state -> [AsyncStream<Bool>.Continuation] in
            guard state.isReachable != isReachable else { return [] }
            state.isReachable = isReachable
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.yield(isReachable) }
    }

    /// Returns the changes from now on.
    public func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Bool.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = state.guarded { state in
            state.next += 1
            state.subscribers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.guarded { $0.subscribers[number] = nil }
        }
        return stream
    }
}
