/// Why a sink refuses an entity that is well-formed; the reader adds where it stands.
public struct PayloadRefusal: Error, Sendable {
    /// What is wrong, for people; no values of the payload.
    public var message: String
    /// The path from the entity to the value that is wrong, such as `Lines[0]/ItemID`; nil where it is the entity itself.
    package var path: String?
    /// Whether the value breaks a declaration of the model, as values of services do at times.
    package var isOfDeclaration = false

    /// Creates a refusal.
    public init(_ message: String) {
        self.message = message
    }

    /// Creates a refusal of a value.
    package init(_ message: String, at path: String?) {
        self.message = message
        self.path = path
    }
}
