/// The Entity Data Model of a service as plain values: what a CSDL document says, names resolved.
///
/// Types refer to each other by index (`StructuredTypeID` and its kin), so that a model is one value without cycles and a
/// look-up on a hot path is an array access.
public struct EdmModel: Sendable {
    /// Version of the document.
    public var version: ODataVersion
    /// Namespaces declared by the document, with their aliases.
    public var schemas: [Schema]
    /// Entity and complex types.
    public internal(set) var structuredTypes: [StructuredType]
    /// Enumeration types.
    public internal(set) var enumTypes: [EnumType]
    /// Type definitions.
    public internal(set) var typeDefinitions: [TypeDefinition]
    /// Actions and functions, or what has been read of them.
    private var declaredOperations: [Operation] = []
    /// Reads the operations on first use; nil where they are in `declaredOperations`.
    private var lateOperations: Late<[Operation]>?
    /// The entity container.
    public var container: EntityContainer
    /// Annotations of what the model has no value for: paths of several steps, elements of other documents.
    public var otherAnnotations: [TargetedAnnotations]

    private var typesByName: [String: NamedType]
    /// Names of the first types, made on first use; nil where they are in `typesByName`.
    private var lateNames: Late<[String: NamedType]>?
    /// Where sets and singletons stood when the container was read.
    private var sourcesByName: [String: NavigationSource]

    /// Creates an empty model.
    public init(version: ODataVersion) {
        self.version = version
        schemas = []
        structuredTypes = []
        enumTypes = []
        typeDefinitions = []
        container = EntityContainer(name: "")
        otherAnnotations = []
        typesByName = [:]
        sourcesByName = [:]
    }

    /// Creates a model of these types, whose names must be distinct, without schemas and container.
    package init(
        version: ODataVersion,
        structuredTypes: [StructuredType],
        enumTypes: [EnumType],
        typeDefinitions: [TypeDefinition]
    ) {
        self.init(version: version)
        self.structuredTypes = structuredTypes
        self.enumTypes = enumTypes
        self.typeDefinitions = typeDefinitions
        lateNames = Late { [types = self] in types.names() }
    }

    /// Annotations with the path of what they are about, `NS.Container/Set/Property`.
    public struct TargetedAnnotations: Sendable {
        /// Path of the annotated element, the alias resolved.
        public var target: String
        /// The annotations.
        public var annotations: [Annotation]

        /// Creates a group of annotations.
        public init(target: String, annotations: [Annotation]) {
            self.target = target
            self.annotations = annotations
        }
    }

    /// A namespace of the document.
    public struct Schema: Sendable, Equatable {
        /// Namespace.
        public var namespace: String
        /// Short name for it.
        public var alias: String?
        /// The version that requests name by `$schemaversion` (`Core.SchemaVersion`).
        public var version: String?

        /// Creates a schema.
        public init(namespace: String, alias: String? = nil) {
            self.namespace = namespace
            self.alias = alias
        }
    }
}

// MARK: - Building

extension EdmModel {
    /// Adds a structured type; a second type of one name does not replace the first in look-ups.
    @discardableResult
    public mutating func add(_ type: StructuredType) -> StructuredTypeID {
        let id = StructuredTypeID(structuredTypes.count)
        structuredTypes.append(type)
        register(.structured(id), named: type.name)
        return id
    }

    /// Adds an enumeration type.
    @discardableResult
    public mutating func add(_ type: EnumType) -> EnumTypeID {
        let id = EnumTypeID(enumTypes.count)
        enumTypes.append(type)
        register(.enumeration(id), named: type.name)
        return id
    }

    /// Adds a type definition.
    @discardableResult
    public mutating func add(_ type: TypeDefinition) -> TypeDefinitionID {
        let id = TypeDefinitionID(typeDefinitions.count)
        typeDefinitions.append(type)
        register(.definition(id), named: type.name)
        return id
    }

    /// Makes look-ups by name find all types, whose names must be distinct.
    mutating func registerNames() { typesByName = names() }

    /// All types by their names: one table that never grows.
    private func names() -> [String: NamedType] {
        let count = structuredTypes.count + enumTypes.count + typeDefinitions.count
        var names = [String: NamedType](minimumCapacity: count)
        // By index: a loop over the values would copy each.
        for index in structuredTypes.indices {
            names[structuredTypes[index].name] = .structured(StructuredTypeID(index))
        }
        for index in enumTypes.indices {
            names[enumTypes[index].name] = .enumeration(EnumTypeID(index))
        }
        for index in typeDefinitions.indices {
            names[typeDefinitions[index].name] = .definition(TypeDefinitionID(index))
        }
        return names
    }

    /// Makes look-ups by name find the container's sets and singletons at once.
    package mutating func registerSources() {
        for index in container.singletons.indices.reversed() {
            sourcesByName[container.singletons[index].name] = .singleton(index)
        }
        for index in container.entitySets.indices.reversed() {
            sourcesByName[container.entitySets[index].name] = .entitySet(index)
        }
    }

    /// The set or singleton that had a name when the container was read; nil where the container was changed since.
    func registeredSource(named name: String) -> NavigationSource? {
        switch sourcesByName[name] {
        case .entitySet(let index)? where container.entitySets.indices.contains(index):
            container.entitySets[index].name == name ? .entitySet(index) : nil
        case .singleton(let index)? where container.singletons.indices.contains(index):
            container.singletons[index].name == name ? .singleton(index) : nil
        default: nil
        }
    }

    private mutating func register(_ type: NamedType, named name: String) {
        if let lateNames { typesByName = lateNames.value }
        lateNames = nil
        if typesByName[name] == nil { typesByName[name] = type }
    }
}

// MARK: - Operations

extension EdmModel {
    /// Actions and functions, overloads one by one.
    public var operations: [Operation] {
        get { lateOperations?.value ?? declaredOperations }
        _modify {
            if let lateOperations { declaredOperations = lateOperations.value }
            lateOperations = nil
            yield &declaredOperations
        }
    }

    /// Has the operations read on first use.
    package mutating func read(_ operations: Late<[Operation]>) { lateOperations = operations }
}

// MARK: - Looking up

extension EdmModel {
    /// The structured type with this id.
    public subscript(id: StructuredTypeID) -> StructuredType {
        get { structuredTypes[id.index] }
        set { structuredTypes[id.index] = newValue }
    }

    /// The enumeration type with this id.
    public subscript(id: EnumTypeID) -> EnumType {
        get { enumTypes[id.index] }
        set { enumTypes[id.index] = newValue }
    }

    /// The type definition with this id.
    public subscript(id: TypeDefinitionID) -> TypeDefinition {
        get { typeDefinitions[id.index] }
        set { typeDefinitions[id.index] = newValue }
    }

    /// Returns what a qualified name stands for, aliases of namespaces resolved; nil where no schema declares it.
    public func type(named name: String) -> NamedType? {
        if let type = registeredType(named: name) { return type }
        if let primitive = PrimitiveType(rawValue: name) { return .primitive(primitive) }
        return resolvingAlias(name).flatMap(registeredType)
    }

    private func registeredType(named name: String) -> NamedType? {
        typesByName[name] ?? lateNames?.value[name]
    }

    /// Returns the name with the alias of its schema replaced by the namespace; nil where it begins with no alias.
    public func resolvingAlias(_ name: String) -> String? {
        guard let dot = name.lastIndex(of: "."),
            let schema = schemas.first(where: { $0.alias.map { $0 == name[..<dot] } ?? false })
        else { return nil }
        return schema.namespace + name[dot...]
    }

    /// Returns the structured type of this qualified name.
    public func structuredType(named name: String) -> StructuredTypeID? {
        if case .structured(let id) = type(named: name) { id } else { nil }
    }

    /// Returns the chain from the type's most basic type to the type itself.
    public func lineage(of id: StructuredTypeID) -> [StructuredTypeID] {
        var chain = [id]
        while chain.count <= structuredTypes.count,
            let base = structuredTypes[chain[chain.count - 1].index].baseType
        {
            chain.append(base)
        }
        return chain.reversed()
    }

    /// Returns whether a type is another or extends it, directly or not.
    public func type(_ id: StructuredTypeID, isOrExtends ancestor: StructuredTypeID) -> Bool {
        var type = id
        for _ in 0...structuredTypes.count {
            if type == ancestor { return true }
            guard let base = structuredTypes[type.index].baseType else { return false }
            type = base
        }
        return false
    }

    /// Returns the types that are or extend the given one, itself first, in model order.
    public func hierarchy(below root: StructuredTypeID) -> [StructuredTypeID] {
        [root]
            + structuredTypes.indices.map(StructuredTypeID.init)
            .filter { $0 != root && type($0, isOrExtends: root) }
    }

    /// Returns the key of an entity type, its own or inherited.
    public func key(of id: StructuredTypeID) -> [KeyProperty] {
        lineage(of: id).reversed().lazy.map { structuredTypes[$0.index].key }
            .first { !$0.isEmpty } ?? []
    }

    /// Returns the structural properties of a type, inherited ones first.
    public func properties(of id: StructuredTypeID) -> [StructuralProperty] {
        lineage(of: id).flatMap { self[$0].properties }
    }

    /// Returns the navigation properties of a type, inherited ones first.
    public func navigationProperties(of id: StructuredTypeID) -> [NavigationProperty] {
        lineage(of: id).flatMap { self[$0].navigationProperties }
    }

    /// Returns the structural property of this name, inherited or own.
    public func property(_ name: String, of id: StructuredTypeID) -> StructuralProperty? {
        for type in lineage(of: id) {
            if let found = self[type].properties.first(where: { $0.name == name }) { return found }
        }
        return nil
    }

    /// Returns the place of the navigation property of this name, inherited or own.
    public func navigationProperty(_ name: String, of id: StructuredTypeID) -> NavigationPropertyID?
    {
        for type in lineage(of: id) {
            if let index = self[type].navigationProperties.firstIndex(where: { $0.name == name }) {
                return NavigationPropertyID(type: type, index: index)
            }
        }
        return nil
    }

    /// The navigation property with this id.
    public subscript(id: NavigationPropertyID) -> NavigationProperty {
        self[id.type].navigationProperties[id.index]
    }

    /// Returns the primitive type behind a named type: itself, or what a definition or enumeration is made of.
    public func underlyingPrimitive(of type: NamedType) -> PrimitiveType? {
        switch type {
        case .primitive(let primitive): primitive
        case .definition(let id): self[id].underlyingType
        case .enumeration(let id): self[id].underlyingType
        case .structured, .untyped, .unresolved: nil
        }
    }
}

/// The place of a navigation property in its model: the type that declares it and its position there.
public struct NavigationPropertyID: Sendable, Hashable {
    /// The declaring type.
    public let type: StructuredTypeID
    /// Index into `StructuredType.navigationProperties`.
    public let index: Int

    /// Creates an id.
    public init(type: StructuredTypeID, index: Int) {
        self.type = type
        self.index = index
    }
}
