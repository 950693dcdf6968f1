public import OfflineOData

/// A resource with changes that the service has not taken.
public struct OfflineEdit: Sendable, Identifiable {
    /// URL relative to the service root.
    public let url: String
    /// Name of its entity set; nil for calls of operations.
    public let entitySet: String?
    /// The requests in the order in which they are sent, refused ones included.
    public let requests: [OfflineODataRequest]
    /// Whether the service has another version.
    public let hasConflict: Bool

    /// The URL.
    public var id: String { url }
    /// Whether the service refused a change.
    public var hasCommitError: Bool { requests.contains { $0.status == .failed } }
}
