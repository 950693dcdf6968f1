/// A structural property of an entity or complex type (OData CSDL 4.01 § 7).
public struct StructuralProperty: Sendable {
    /// Name, unique among the properties of the type and its base types.
    public var name: String
    /// Type with facets.
    public var type: TypeReference
    /// Whether null is a value (for a collection: whether items may be null).
    public var isNullable: Bool
    /// Whether the model says whether null is a value.
    ///
    /// It need not say so of the items of a collection: clients cannot assume either then (OData CSDL XML 4.01 § 7.2.1).
    package var isNullableStated = true
    /// Value of a created entity where none is given, as written in the document.
    public var defaultValue: String?
    /// Whether the value takes part in the ETag (`ConcurrencyMode="Fixed"`, versions 1 to 3).
    public var isConcurrencyToken: Bool
    /// Annotations of the property.
    public var annotations: [Annotation]

    /// Creates a nullable property.
    public init(name: String, type: TypeReference, isNullable: Bool = true) {
        self.name = name
        self.type = type
        self.isNullable = isNullable
        isConcurrencyToken = false
        annotations = []
    }
}
