/// The device's network, for a service at a host.
///
/// On Apple's systems `NWPathMonitor` says whether there is a way out. On Linux the kernel does: an interface beside the loopback
/// that runs and has an address; changes are reported by netlink. A host on the device itself is always reachable.
public final class SystemReachability: ReachabilitySource {
    private let monitor: NetworkMonitor?

    /// Creates the network.
    ///
    /// - Parameter serviceRoot: URL of the service; nil where any host counts.
    public init(serviceRoot: String? = nil) {
        monitor = serviceRoot.map(Self.isLocal) == true ? nil : NetworkMonitor.shared
    }

    /// Whether requests to the service have a chance to arrive.
    public var isReachable: Bool { monitor?.isConnected ?? true }

    /// Returns the changes from now on.
    public func changes() -> AsyncStream<Bool> {
        monitor?.changes() ?? AsyncStream { _ in }
    }

    /// Whether a URL names the device itself (RFC 6761 § 6.3, RFC 1122 § 3.2.1.3).
    static func isLocal(_ url: String) -> Bool {
        guard let scheme = url.firstRange(of: "://") else { return false }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@").last.map(String.init)?.lowercased() ?? ""
        if host.hasPrefix("[") { return host.hasPrefix("[::1]") }
        let name = host.prefix { $0 != ":" }
        let isLoopback = name.hasPrefix("127.") && name.allSatisfy { $0.isNumber || $0 == "." }
        return name == "localhost" || name.hasSuffix(".localhost") || isLoopback
    }
}
