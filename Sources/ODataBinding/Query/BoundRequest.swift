public import ODataValues
public import ODataModel

/// A request URL with every name resolved against a model: a resource and the options on it.
public struct BoundRequest: Sendable {
    /// What the path addresses.
    public var resource: BoundResource
    /// The system query options.
    public var options: BoundOptions

    /// Creates a request.
    public init(resource: BoundResource, options: BoundOptions = BoundOptions()) {
        self.resource = resource
        self.options = options
    }
}

/// What the path of a URL addresses.
public enum BoundResource: Sendable {
    /// The service document.
    case serviceDocument
    /// The metadata document (`$metadata`).
    case metadata
    /// The endpoint of batch requests (`$batch`).
    case batch
    /// Entities, or what a path leads to from them.
    case entities(EntityPath)
    /// The entities of all sets and singletons, or those of a type among them.
    case all(StructuredTypeID?)
    /// Every combination of an entity of each of these sets.
    case crossjoin([NavigationSource])
    /// A function import or a bound function or action at the end of a path.
    case operation(BoundOperation)
}

/// A way from a set or singleton to entities, and what of them is meant.
public struct EntityPath: Sendable {
    /// Where the path begins.
    public var source: NavigationSource
    /// What follows, in order.
    public var steps: [Step]
    /// What of the entities reached is addressed.
    public var target: Target

    /// Creates a path to all entities of a source.
    public init(source: NavigationSource, steps: [Step] = [], target: Target = .entities) {
        self.source = source
        self.steps = steps
        self.target = target
    }

    /// A step from entities to entities.
    public enum Step: Sendable {
        /// Picks one by its key, values in the order of the key.
        case key([Scalar])
        /// Picks one by an alternate key (`Core.AlternateKeys`).
        case alternateKey([AlternateKeyPart])
        /// Picks one by the local id of a created entity.
        case localID(String)
        /// Follows a navigation property to entities of the source; nil where it is not bound.
        case navigation(NavigationPropertyID, to: NavigationSource?)
        /// Keeps entities of a derived type.
        case cast(StructuredTypeID)
        /// Enters a complex property on the way to a navigation property of its type.
        case complex(String)
    }

    /// What is addressed.
    public enum Target: Sendable {
        /// The entities themselves.
        case entities
        /// `$ref`, or `$links` in versions 1 to 3.
        case references
        /// `$count` as last segment.
        case count
        /// A property path, possibly into complex properties; with `/$value` the raw value.
        case property([String], isRaw: Bool)
        /// The number of items of a collection of primitive or complex values.
        case propertyCount([String])
        /// The stream of a media entity (`$value`).
        case mediaStream
    }

    /// The entity type of what the path reaches.
    public func entityType(in model: EdmModel) -> StructuredTypeID? {
        var type = model.entityType(of: source)
        for step in steps {
            switch step {
            case .key, .alternateKey, .localID, .complex: break
            case .navigation(let id, _): type = model[id].target
            case .cast(let id): type = id
            }
        }
        return type
    }

    /// Where the entities reached live; nil where an unbound navigation property was followed.
    public var finalSource: NavigationSource? {
        for step in steps.reversed() {
            if case .navigation(_, let source) = step { return source }
        }
        return source
    }

    /// Whether the path reaches at most one entity.
    public func isSingle(in model: EdmModel) -> Bool {
        for step in steps.reversed() {
            switch step {
            case .key, .alternateKey, .localID: return true
            case .navigation(let id, _): return !model[id].isCollection
            case .cast, .complex: continue
            }
        }
        if case .singleton = source { return true }
        return false
    }

    /// Whether the path can be the id of one entity: it ends in a key, in a singleton or in a contained entity.
    ///
    /// What a single-valued property leads to is another entity from time to time, unless it is contained.
    package func namesEntity(in model: EdmModel) -> Bool {
        guard case .entities = target else { return false }
        for step in steps.reversed() {
            switch step {
            case .cast: continue
            case .key, .alternateKey: return true
            case .navigation(let id, _): return model[id].containsTarget && !model[id].isCollection
            case .localID, .complex: return false
            }
        }
        if case .singleton = source { return true }
        return false
    }
}

/// A property of an alternate key with its value.
public struct AlternateKeyPart: Sendable {
    /// Path of the property.
    public var path: [String]
    /// The value that it must have.
    public var value: Scalar

    /// Creates a part.
    public init(path: [String], value: Scalar) {
        self.path = path
        self.value = value
    }
}

/// A call of an action or function.
public struct BoundOperation: Sendable {
    /// What it is called on; nil for an import.
    public var binding: EntityPath?
    /// Index into `EdmModel.operations`; nil for a function import of versions 1 to 3 without operation.
    public var operation: Int?
    /// Name of the import or qualified name of the operation.
    public var name: String
    /// Arguments in the URL by name, as written.
    public var arguments: [(name: String, text: String)]

    /// Creates a call.
    public init(
        binding: EntityPath?,
        operation: Int?,
        name: String,
        arguments: [(name: String, text: String)]
    ) {
        self.binding = binding
        self.operation = operation
        self.name = name
        self.arguments = arguments
    }
}
