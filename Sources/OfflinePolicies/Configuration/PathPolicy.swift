/// The policies that a configuration gives to a resource path.
public struct PathPolicy: Sendable, Hashable {
    /// The paths that it covers.
    public var pattern: PathPattern
    /// The policies; nil where the entry says nothing.
    public var policy: ResourcePolicy

    /// Creates an entry.
    public init(pattern: PathPattern, policy: ResourcePolicy) {
        self.pattern = pattern
        self.policy = policy
    }
}
