import ODataValues
import Synchronization

/// A network whose state the application sets.
public final class ManualReachability: ReachabilitySource {
    private let state: Mutex<Bool>
    private let broadcast = Broadcast<Bool>()

    /// Creates a network in a state.
    public init(isReachable: Bool = true) {
        state = Mutex(isReachable)
    }

    /// Whether the network is reachable.
    public var isReachable: Bool { state.guarded { $0 } }

    /// Sets whether the network is reachable.
    public func set(isReachable: Bool) {
        let isChanged = state.guarded { state in
            defer { state = isReachable }
            return state != isReachable
        }
        if isChanged { broadcast.send(isReachable) }
    }

    /// Returns the changes from now on.
    public func changes() -> AsyncStream<Bool> { broadcast.stream() }
}
