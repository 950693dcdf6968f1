/// An action or function, one overload of it (OData CSDL 4.01 § 12).
public struct Operation: Sendable {
    /// Whether calling it may change something.
    public enum Kind: Sendable {
        /// An action: may have side effects.
        case action
        /// A function: has no side effects.
        case function
    }

    /// Qualified name, shared by all overloads.
    public var name: String
    /// Action or function.
    public var kind: Kind
    /// Whether the first parameter is the resource it is called on.
    public var isBound: Bool
    /// Whether a function's result can be queried further in a URL.
    public var isComposable: Bool
    /// The parameters in order, the binding parameter first.
    public var parameters: [Parameter]
    /// The result, nil where there is none.
    public var returnType: TypeReference?
    /// Whether the result may be null.
    public var returnsNullable: Bool
    /// Path from the binding parameter to the set that results come from.
    public var entitySetPath: String?
    /// Annotations of the operation.
    public var annotations: [Annotation]

    /// Creates an unbound operation without parameters.
    public init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
        isBound = false
        isComposable = false
        parameters = []
        returnsNullable = true
        annotations = []
    }

    /// A parameter.
    public struct Parameter: Sendable {
        /// Name, unique in the operation.
        public var name: String
        /// Type with facets.
        public var type: TypeReference
        /// Whether null may be passed.
        public var isNullable: Bool
        /// Annotations of the parameter.
        public var annotations: [Annotation]

        /// Creates a nullable parameter.
        public init(name: String, type: TypeReference, isNullable: Bool = true) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
            annotations = []
        }
    }
}
