public import OfflineOData

/// An entity that was changed here and at the service, with everything that a decision needs.
public struct ResourceConflict: Sendable {
    /// What was done here.
    public enum Change: Sendable, Hashable, CaseIterable {
        /// An entity was created.
        case insert
        /// An entity was updated.
        case update
        /// An entity was deleted.
        case delete
    }

    /// URL relative to the service root.
    public let url: String
    /// Name of its entity set.
    public let entitySet: String
    /// What was done here.
    public let change: Change
    /// As it was before it was changed here; nil for one that was created here.
    public let base: EntityValue?
    /// As it is here; nil where it is deleted here.
    public let local: EntityValue?
    /// As the service has it; nil where the service has deleted it.
    public let server: EntityValue?
    /// Paths of the properties that were changed here.
    public let changedProperties: [String]
    /// When it was first changed here, RFC 3339.
    public let changed: String
}

/// Which version of an entity stays.
public enum ConflictDecision: Sendable, Hashable {
    /// The local change is sent over the service's version, which goes to the event log; what the service has deleted is created anew.
    case local
    /// The service's version stays; the local change goes to the event log.
    case server
    /// The local change is sent with further values (OData JSON) over the service's version.
    case merge(body: String)
    /// Both stay; the application decides later.
    case preserve
}
