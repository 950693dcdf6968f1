/// What the answer to a request must be; another answer, however well-formed, is not taken for data.
public struct PayloadExpectation: Sendable {
    /// The outer form of a payload.
    public enum Shape: Sendable {
        /// Several entities, perhaps none: `{"value": […]}`, in versions 1 to 3 `{"d": …}`.
        case collection
        /// One entity, whose members stand in the outer object.
        case entity
    }

    /// The form that was asked for; nil takes either.
    public var shape: Shape?
    /// Whether each entity must say which one it is, by its key properties or its id (OData JSON 4.01 § 4.5.8), and be of the type
    /// that was asked for.
    public var requiresIdentity: Bool
    /// Whether the request itself says which entity is meant, as that of a singleton does, so that the answer need not.
    public var isIdentityKnown: Bool
    /// Whether members and types that the model does not know are refused where they stand; else they are noted.
    public var refusesUnknown: Bool
    /// Whether names that no member of their enumeration has are refused; else they are noted, and kept beside a null.
    public var refusesUnknownMembers: Bool
    /// Whether relations of complex values that are kept as JSON are left out, as those of other complex values are; else they stay in
    /// it.
    public var leavesOutRelations: Bool

    /// Creates an expectation; the default takes every form.
    public init(
        _ shape: Shape? = nil,
        requiresIdentity: Bool = false,
        isIdentityKnown: Bool = false,
        refusesUnknown: Bool = false,
        refusesUnknownMembers: Bool = false,
        leavesOutRelations: Bool = false
    ) {
        self.shape = shape
        self.requiresIdentity = requiresIdentity
        self.isIdentityKnown = isIdentityKnown
        self.refusesUnknown = refusesUnknown
        self.refusesUnknownMembers = refusesUnknownMembers
        self.leavesOutRelations = leavesOutRelations
    }
}
