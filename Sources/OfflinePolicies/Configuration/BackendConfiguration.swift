/// The synchronization settings of one service.
public struct BackendConfiguration: Sendable, Hashable {
    /// Megabytes that copies made by fetch policies may take, unless configured.
    public static let defaultMaximumStoreSize = 100
    /// Seconds between two periodic refreshes, unless configured.
    public static let defaultPeriodicRefreshInterval = 120

    /// Name of the service: `myBackend/1.0`; empty in a file of a single service.
    public var name: String
    /// Whether the file names it as the default.
    public var isDefault: Bool
    /// Megabytes that copies made by fetch policies may take.
    public var maxStoreSize: Int
    /// When stale copies are refreshed without being read.
    public var periodicRefreshPolicy: PeriodicRefreshPolicy
    /// Seconds between two periodic refreshes.
    public var periodicRefreshInterval: Int
    /// Whether every copy is deleted when the application starts; what has pending changes stays.
    public var purgesOnStartup: Bool
    /// Whether `Cache-Control` and `Expires` count where the headers of the synchronization library are absent.
    public var usesStandardCacheHeaders: Bool
    /// Policies by resource path, in the order of the file.
    public var policies: [PathPolicy]
    /// Policies of every other resource of the service.
    public var defaultPolicy: ResourcePolicy
    /// The `syncExpress` settings; nil for a service that is not a plain REST one.
    ///
    /// Where there are some, the other settings have their defaults.
    public var express: ExpressConfiguration?

    /// Creates settings with the library's defaults.
    public init(name: String = "") {
        self.name = name
        isDefault = false
        maxStoreSize = Self.defaultMaximumStoreSize
        periodicRefreshPolicy = .none
        periodicRefreshInterval = Self.defaultPeriodicRefreshInterval
        purgesOnStartup = false
        usesStandardCacheHeaders = false
        policies = []
        defaultPolicy = ResourcePolicy()
    }

    /// The policies of every resource without an entry; Sync Express always overwrites the service's version.
    var serviceDefaults: ResourcePolicy {
        guard express != nil, defaultPolicy.conflictResolutionPolicy == nil else {
            return defaultPolicy
        }
        var defaults = defaultPolicy
        defaults.conflictResolutionPolicy = .clientWins
        return defaults
    }

    /// The entries that cover a resource, the narrowest first; of equally narrow ones the first in the file.
    ///
    /// - Parameter paths: The paths that the resource has.
    func entries(for paths: [ResourcePath]) -> [PathPolicy] {
        policies.enumerated().filter { paths.contains(where: $0.element.pattern.matches) }
            .sorted { left, right in
                if left.element.pattern.isNarrower(than: right.element.pattern) { return true }
                if right.element.pattern.isNarrower(than: left.element.pattern) { return false }
                return left.offset < right.offset
            }
            .map(\.element)
    }
}
