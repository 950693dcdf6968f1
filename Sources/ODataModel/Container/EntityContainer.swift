/// What a service offers at its root (OData CSDL 4.01 § 13); extended containers are merged into one.
public struct EntityContainer: Sendable {
    /// Qualified name; empty where the document has no container.
    public var name: String
    /// Qualified name of the container this one extends, as declared.
    public var extends: String?
    /// Entity sets in the order of the document.
    public var entitySets: [EntitySet]
    /// Singletons in the order of the document.
    public var singletons: [Singleton]
    /// Function imports in the order of the document.
    public var functionImports: [OperationImport]
    /// Action imports in the order of the document.
    public var actionImports: [OperationImport]
    /// Annotations of the container.
    public var annotations: [Annotation]

    /// Creates an empty container.
    public init(name: String) {
        self.name = name
        entitySets = []
        singletons = []
        functionImports = []
        actionImports = []
        annotations = []
    }
}

/// A named collection of entities.
public struct EntitySet: Sendable {
    /// Name, unique in the container.
    public var name: String
    /// The declared entity type; entities may be of types derived from it.
    public var type: StructuredTypeID
    /// Whether the service document lists it.
    public var isInServiceDocument: Bool
    /// Where navigation properties of its entities lead.
    public var navigationBindings: [NavigationBinding]
    /// Annotations of the set.
    public var annotations: [Annotation]

    /// Creates a set.
    public init(name: String, type: StructuredTypeID) {
        self.name = name
        self.type = type
        isInServiceDocument = true
        navigationBindings = []
        annotations = []
    }
}

/// A single entity at the root of the service.
public struct Singleton: Sendable {
    /// Name, unique in the container.
    public var name: String
    /// The entity type.
    public var type: StructuredTypeID
    /// Whether there may be no entity.
    public var isNullable: Bool
    /// Where navigation properties lead.
    public var navigationBindings: [NavigationBinding]
    /// Annotations of the singleton.
    public var annotations: [Annotation]

    /// Creates a singleton.
    public init(name: String, type: StructuredTypeID) {
        self.name = name
        self.type = type
        isNullable = false
        navigationBindings = []
        annotations = []
    }
}

/// Says which set or singleton a navigation property leads to.
public struct NavigationBinding: Sendable, Equatable {
    /// Path of the navigation property, possibly through complex properties, casts and containment.
    public var path: String
    /// Name of the set or singleton, or a path to a contained set.
    public var target: String

    /// Creates a binding.
    public init(path: String, target: String) {
        self.path = path
        self.target = target
    }
}

/// An action or function that can be called at the root of the service.
public struct OperationImport: Sendable {
    /// Name, unique in the container.
    public var name: String
    /// Qualified name of the operation; for versions 1 to 3 the import's own qualified name.
    public var operation: String
    /// Set that results come from.
    public var entitySet: String?
    /// `m:HttpMethod` of versions 1 to 3.
    public var httpMethod: String?
    /// Annotations of the import.
    public var annotations: [Annotation]
    /// Line of the document, for diagnostics.
    package var line = 0

    /// Creates an import.
    public init(name: String, operation: String) {
        self.name = name
        self.operation = operation
        annotations = []
    }
}
