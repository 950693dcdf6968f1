/// An entity type or a complex type (OData CSDL 4.01 §§ 6, 9).
public struct StructuredType: Sendable {
    /// What distinguishes the two structured types: identity.
    public enum Kind: Sendable {
        /// An entity type: has a key.
        case entity
        /// A complex type: has no key.
        case complex
    }

    /// Qualified name, `Namespace.Name`.
    public var name: String
    /// Entity or complex.
    public var kind: Kind
    /// The type this one extends.
    public var baseType: StructuredTypeID?
    /// Whether no instance can be of exactly this type.
    public var isAbstract: Bool
    /// Whether instances may have undeclared properties; own declaration or inherited.
    public var isOpen: Bool
    /// Whether entities are media entities.
    public var hasStream: Bool
    /// What the type declares; who builds a type changes what is present, with nothing asked on the way.
    var declared = Deferred(TypeMembers())

    /// Creates a type with nothing but its name.
    public init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
        isAbstract = false
        isOpen = false
        hasStream = false
    }
}

// MARK: - Members

extension StructuredType {
    /// The key declared here; empty where it is inherited or there is none.
    public var key: [KeyProperty] {
        get { declared.value.key }
        _modify { yield &declared.value.key }
    }
    /// The structural properties declared here, in order.
    public var properties: [StructuralProperty] {
        get { declared.value.properties }
        _modify { yield &declared.value.properties }
    }
    /// The navigation properties declared here, in order.
    public var navigationProperties: [NavigationProperty] {
        get { declared.value.navigationProperties }
        _modify { yield &declared.value.navigationProperties }
    }
    /// Annotations of the type itself.
    public var annotations: [Annotation] {
        get { declared.value.annotations }
        _modify { yield &declared.value.annotations }
    }
    /// Foreign keys of entities of this type that only the principal's navigation property declares.
    package var foreignKeys: [[ReferentialConstraint]] {
        get { declared.value.foreignKeys }
        _modify { yield &declared.value.foreignKeys }
    }

    /// The structural properties of a type that is being made.
    var ownProperties: [StructuralProperty] {
        _read { yield declared.present.properties }
        _modify { yield &declared.present.properties }
    }
    /// The navigation properties of a type that is being made.
    var ownNavigations: [NavigationProperty] {
        _read { yield declared.present.navigationProperties }
        _modify { yield &declared.present.navigationProperties }
    }

    /// All that the type declares.
    package var allMembers: TypeMembers { declared.value }

    /// Has the members read on first use.
    package mutating func read(_ members: LateItem<TypeMembers>) { declared.read(members) }
}

/// A part of an entity key: a path to a primitive property, and its name in key predicates.
public struct KeyProperty: Sendable, Equatable {
    /// Path to the property, `ID` or `Address/Zip`.
    public var path: String
    /// Name in key predicates where it differs from the path.
    public var alias: String?

    /// Creates a key part.
    public init(path: String, alias: String? = nil) {
        self.path = path
        self.alias = alias
    }

    /// The name that key predicates use.
    public var name: String { alias ?? path }
}
