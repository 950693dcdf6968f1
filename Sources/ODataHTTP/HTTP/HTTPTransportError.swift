/// Why no complete answer came.
public struct HTTPTransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Sendable, Equatable {
        /// No connection: name not resolved, refused, TLS failed. Nothing was sent.
        case notConnected
        /// The connection broke or the answer was cut after something was sent.
        case connectionLost
        /// No byte came for too long.
        case timedOut
        /// The body of the response exceeds the limit.
        case bodyTooLarge
        /// The answer is no HTTP, or the request cannot be said in HTTP.
        case protocolViolation
        /// A setting of the connection cannot be used: a certificate or a key. Nothing was sent, and trying again does not help.
        case unusableSettings
    }

    /// What went wrong.
    public var code: Code
    /// What happened, for people.
    public var message: String

    /// Whether it is certain that no byte of the request has left, so that it can be sent again without doubt.
    public var isCertainlyUnsent: Bool

    /// Creates an error; by default only a request without a connection counts as certainly unsent.
    public init(_ code: Code, _ message: String, isCertainlyUnsent: Bool? = nil) {
        self.code = code
        self.message = message
        self.isCertainlyUnsent =
            isCertainlyUnsent ?? [.notConnected, .unusableSettings].contains(code)
    }

    /// The message.
    public var description: String { message }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}
