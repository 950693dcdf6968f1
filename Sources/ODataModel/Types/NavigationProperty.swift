/// A navigation property (OData CSDL 4.01 § 8); associations of versions 1 to 3 are read into this form.
public struct NavigationProperty: Sendable {
    /// Name, unique among the properties of the type and its base types.
    public var name: String
    /// The entity type at the other end; nil when it is not resolved or is `Edm.EntityType`.
    public var target: StructuredTypeID?
    /// The name of the target type as written, without `Collection()`.
    public var targetName: String
    /// Whether it leads to many entities.
    public var isCollection: Bool
    /// Whether a single-valued property may lead to none.
    public var isNullable: Bool
    /// Path of the property in the target type that leads back.
    public var partner: String?
    /// Whether the entities exist only within their parent.
    public var containsTarget: Bool
    /// Pairs of equal properties; the dependent side is this type.
    public var referentialConstraints: [ReferentialConstraint]
    /// Pairs of equal properties where the target type is the dependent side and may have no property that leads back: there
    /// an association of versions 1 to 3 says what version 4 says at the partner.
    public var dependentConstraints: [ReferentialConstraint] = []
    /// What happens to the entities at the other end when this one is deleted.
    public var onDelete: OnDelete?
    /// Annotations of the property.
    public var annotations: [Annotation]

    /// Creates a nullable single-valued property.
    public init(name: String, targetName: String, target: StructuredTypeID?) {
        self.name = name
        self.target = target
        self.targetName = targetName
        isCollection = false
        isNullable = true
        containsTarget = false
        referentialConstraints = []
        annotations = []
    }
}

/// A dependent property whose value equals a principal property at the other end.
public struct ReferentialConstraint: Sendable, Equatable {
    /// Path of the dependent property, in the type that depends on the other.
    public var property: String
    /// Path of the principal property, in the type that the other depends on.
    public var referencedProperty: String

    /// Creates a pair.
    public init(property: String, referencedProperty: String) {
        self.property = property
        self.referencedProperty = referencedProperty
    }
}

/// What becomes of related entities when the entity that declares the navigation property is deleted
/// (OData CSDL XML 4.01 § 8.6).
public enum OnDelete: String, Sendable {
    /// Related entities are deleted.
    case cascade = "Cascade"
    /// A request to delete an entity with related ones fails.
    case none = "None"
    /// Foreign keys become null.
    case setNull = "SetNull"
    /// Foreign keys become their default values.
    case setDefault = "SetDefault"
}
