/// Why a sink refuses an entity that is well-formed; the reader adds where it stands.
public struct PayloadRefusal: Error, Sendable {
    /// What is wrong, for people; no values of the payload.
    public var message: String

    /// Creates a refusal.
    public init(_ message: String) {
        self.message = message
    }
}
