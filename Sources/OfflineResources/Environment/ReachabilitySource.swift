/// Reports whether the network is reachable; an application or a test can replace it.
public protocol ReachabilitySource: Sendable {
    /// Whether requests to the service have a chance to arrive.
    var isReachable: Bool { get }
    /// Returns the changes from now on; the stream ends when its task is cancelled.
    func changes() -> AsyncStream<Bool>
}
