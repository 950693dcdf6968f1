/// A body of known length that is read while it is sent.
public struct HTTPStreamedBody: Sendable {
    /// Its length.
    public let byteCount: Int
    private let start: @Sendable () -> HTTPBody

    /// Creates a body.
    ///
    /// - Parameter start: Answers the pieces from the first one on; called once for each sending of the request.
    public init(byteCount: Int, start: @escaping @Sendable () -> HTTPBody) {
        self.byteCount = byteCount
        self.start = start
    }

    /// Returns the pieces from the first one on.
    public func pieces() -> HTTPBody { start() }
}
