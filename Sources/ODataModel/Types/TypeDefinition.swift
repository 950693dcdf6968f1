/// A name for a primitive type with facets (OData CSDL 4.01 § 11).
public struct TypeDefinition: Sendable {
    /// Qualified name.
    public var name: String
    /// The primitive type that it stands for.
    public var underlyingType: PrimitiveType
    /// The facets that it fixes.
    public var facets: Facets
    /// Annotations of the definition.
    public var annotations: [Annotation]

    /// Creates a definition.
    public init(name: String, underlyingType: PrimitiveType, facets: Facets = Facets()) {
        self.name = name
        self.underlyingType = underlyingType
        self.facets = facets
        annotations = []
    }
}
