/// The value of one policy with the level it comes from.
public struct ResolvedPolicy<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The effective value.
    public var value: Value
    /// The level that set it.
    public var level: PolicyLevel
    /// The configured path pattern that set it; nil at other levels.
    public var pattern: String?

    /// Creates a resolved value.
    public init(_ value: Value, from level: PolicyLevel, pattern: String? = nil) {
        self.value = value
        self.level = level
        self.pattern = pattern
    }
}
