import Synchronization

#if canImport(Network)
    import Dispatch
    import Network
#else
    import CNetlink
    import Dispatch
#endif

/// Watches the device's network; one for the whole process, begun with its first use.
final class NetworkMonitor: Sendable {
    static let shared = NetworkMonitor()

    private let state: ManualReachability

    /// The current state.
    var isConnected: Bool { state.isReachable }

    func changes() -> AsyncStream<Bool> { state.changes() }

    #if canImport(Network)
        private let monitor = NWPathMonitor()

        private init() {
            state = ManualReachability(isReachable: monitor.currentPath.status != .unsatisfied)
            monitor.pathUpdateHandler = { [state] path in
                state.set(isReachable: path.status == .satisfied)
            }
            monitor.start(queue: DispatchQueue(label: "offline-resources.network"))
        }
    #else
        private init() {
            let state = ManualReachability(isReachable: cnetlink_is_connected() != 0)
            self.state = state
            let descriptor = cnetlink_open()
            guard descriptor >= 0 else { return }
            // A queue of its own: it waits for the kernel as long as the process runs.
            DispatchQueue(label: "offline-resources.network").async {
                while cnetlink_wait(descriptor, -1) == 1 {
                    state.set(isReachable: cnetlink_is_connected() != 0)
                }
                cnetlink_close(descriptor)
            }
        }
    #endif
}
