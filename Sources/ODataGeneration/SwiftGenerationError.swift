/// Says why no Swift can be made of a model.
public struct SwiftGenerationError: Error, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String
}
