/// Why a batch body cannot be read or written.
public struct BatchError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Sendable, Equatable {
        /// The content type is none that batches have, or lacks its boundary.
        case wrongContentType
        /// A part, a head or the JSON is not as it must be.
        case malformed
        /// The body ends before its end.
        case incomplete
        /// More parts or bytes than the limits allow.
        case tooLarge
        /// A request or response holds what the format cannot say.
        case cannotBeWritten
    }

    /// What is wrong.
    public var code: Code
    /// What is wrong, for people; no values of users.
    public var message: String
    /// Bytes before the place in the body.
    public var offset: Int

    /// Creates an error.
    public init(_ code: Code, _ message: String, offset: Int = 0) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// The message and the place.
    public var description: String { "\(message) (at byte \(offset))" }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code
    }
}
