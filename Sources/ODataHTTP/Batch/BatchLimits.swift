/// What the readers of batches take.
public struct BatchLimits: Sendable, Hashable {
    /// Requests or answers, with those of change sets.
    public var parts = 100_000
    /// Bytes of the head of one part.
    public var headBytes = 128 * 1024
    /// Depth of the JSON around and in the bodies.
    public var jsonDepth = 100

    /// Creates limits with the defaults.
    public init() {}
}
