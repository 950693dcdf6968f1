/// What a listener takes from a client before it refuses.
public struct HTTPListenerLimits: Sendable {
    /// Bytes of a request target; more is answered by 414.
    ///
    /// Filters are long: the default holds a few thousand terms.
    public var targetBytes = 128 * 1024
    /// Bytes of the request line and the header fields together; more is answered by 431 or 414.
    public var headBytes = 192 * 1024
    /// Bytes of a request body; more is answered by 413.
    public var bodyBytes = 64 * 1024 * 1024
    /// Connections at the same time; further clients wait.
    public var connections = 256
    /// Time without a byte after which a connection is closed, in whole seconds.
    public var idleTimeout: Duration = .seconds(60)
    /// Time that running requests get to end when the listener stops; then their tasks are cancelled.
    public var stopGrace: Duration = .seconds(5)

    /// Creates limits with the defaults.
    public init() {}
}
