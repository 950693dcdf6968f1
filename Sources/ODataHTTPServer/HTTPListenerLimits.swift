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
    /// Time in which a new connection must bring the head of its first request while more than half of all places are taken, in whole
    /// seconds: silent ones must not take the places of others.
    public var firstByteTimeout: Duration = .seconds(5)
    /// The same while there is room, in whole seconds; between requests a connection may rest for `idleTimeout`.
    public var roomyFirstByteTimeout: Duration = .seconds(20)
    /// Time that running requests get to end when the listener stops; then their tasks are cancelled.
    public var stopGrace: Duration = .seconds(5)

    /// Creates limits with the defaults.
    public init() {}
}

extension HTTPListenerLimits {
    /// Whole seconds as the library counts them.
    var idleSeconds: UInt32 { UInt32(clamping: idleTimeout.components.seconds) }

    /// The same for a connection without a request; 0 would mean for ever.
    var firstSeconds: UInt32 { firstSeconds(firstByteTimeout) }

    /// The same while there is room.
    var roomyFirstSeconds: UInt32 { firstSeconds(roomyFirstByteTimeout) }

    private func firstSeconds(_ timeout: Duration) -> UInt32 {
        max(1, min(UInt32(clamping: timeout.components.seconds), idleSeconds))
    }
}
