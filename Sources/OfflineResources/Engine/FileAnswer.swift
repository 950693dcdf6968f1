public import OfflinePolicies
public import OfflineOData

/// The answer to a read of a file that policies decided about.
public struct FileAnswer: Sendable {
    /// The content, to be read piece by piece; nil where there is none.
    public var content: OfflineODataStream?
    /// Where it comes from, and how old it is.
    public var origin: OfflineODataOrigin
    /// The policies that were in force.
    public var policy: EffectivePolicy?
    /// Why the service was not reached, where it was tried and did not answer.
    public var failure: OfflineODataError?

    /// Whether the store keeps the content; a file beyond the limit, or one that must not be stored, is answered only.
    public var isKept: Bool { content?.isStored ?? false }
}
