/// Why no listener could be made.
public struct HTTPListenerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Sendable, Equatable {
        /// The port is taken or may not be used.
        case cannotListen
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do, for people.
    public let message: String

    /// The message.
    public var description: String { message }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}
