/// The type of a property, parameter or result: a named type or a collection of it, with its facets.
public struct TypeReference: Sendable, Equatable {
    /// The named type, of the single item when `isCollection` is true.
    public var type: NamedType
    /// Whether the value is a collection of `type`.
    public var isCollection: Bool
    /// The facets as declared.
    public var facets: Facets

    /// Creates a reference to a named type.
    public init(_ type: NamedType, isCollection: Bool = false, facets: Facets = Facets()) {
        self.type = type
        self.isCollection = isCollection
        self.facets = facets
    }
}

/// What a type name stands for once it is looked up in its model.
public enum NamedType: Sendable, Hashable {
    /// A primitive type.
    case primitive(PrimitiveType)
    /// An enumeration type.
    case enumeration(EnumTypeID)
    /// A type definition.
    case definition(TypeDefinitionID)
    /// An entity or complex type of the model.
    case structured(StructuredTypeID)
    /// `Edm.Untyped`, `Edm.ComplexType`, `Edm.EntityType` and the like: any shape.
    case untyped(String)
    /// A name that no schema declares (its reference was not resolved); a diagnostic reports it.
    case unresolved(String)
}

/// The place of a structured type in its model.
public struct StructuredTypeID: Sendable, Hashable {
    /// Index into `EdmModel.structuredTypes`.
    public let index: Int

    /// Creates an id from its index.
    public init(_ index: Int) { self.index = index }
}

/// The place of an enumeration type in its model.
public struct EnumTypeID: Sendable, Hashable {
    /// Index into `EdmModel.enumTypes`.
    public let index: Int

    /// Creates an id from its index.
    public init(_ index: Int) { self.index = index }
}

/// The place of a type definition in its model.
public struct TypeDefinitionID: Sendable, Hashable {
    /// Index into `EdmModel.typeDefinitions`.
    public let index: Int

    /// Creates an id from its index.
    public init(_ index: Int) { self.index = index }
}
