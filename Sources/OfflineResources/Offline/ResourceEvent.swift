public import OfflineOData

/// Something that happened to a resource of the store.
public struct ResourceEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// A change made offline was taken by the service.
        case synchronized
        /// The copy in the store was updated or deleted, by the service or by the application; new copies are not reported.
        case changed
    }

    /// What happened.
    public let kind: Kind
    /// URL relative to the service root.
    public let url: String
    /// The entity as it is now, perhaps with changes again that wait; nil where it was deleted.
    public let entity: EntityValue?
}
