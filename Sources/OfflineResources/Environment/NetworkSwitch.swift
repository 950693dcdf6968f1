import ODataValues
import Synchronization

/// The network as policies see it: the source's state and the application's choice.
final class NetworkSwitch: Sendable {
    let source: any ReachabilitySource
    private let isOffByChoice = Mutex(false)

    init(_ source: any ReachabilitySource) { self.source = source }

    var status: NetworkStatus {
        guard source.isReachable else { return .offline }
        return isOffByChoice.guarded { $0 } ? .offlineByChoice : .online
    }

    var isOnline: Bool { status == .online }

    func set(isOffByChoice: Bool) {
        self.isOffByChoice.guarded { $0 = isOffByChoice }
    }
}
