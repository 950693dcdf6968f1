import ODataValues
import ODataURL
import ODataModel

/// The binder's place in a path inside an expression.
struct MemberWalk {
    /// The path so far.
    var path: BoundPath
    /// What the path leads to.
    var place: Place
    /// Where the variable's entity lives.
    private var rootSource: NavigationSource?

    /// What a path leads to.
    enum Place {
        case entity(StructuredTypeID, NavigationSource?)
        case complex(StructuredTypeID)
        /// A single-valued navigation property just followed: the entity, or the property as a whole.
        case value(TypeReference, ScalarForm?)
        case entities(StructuredTypeID, NavigationSource?)
        case values(TypeReference)
        /// A value of unknown type.
        case dynamic
    }

    /// Begins with a variable.
    init(_ variable: BoundVariable) {
        path = BoundPath(variable: variable.variable)
        switch variable.item {
        case .entity(let type, let source):
            place = .entity(type, source)
            rootSource = source
        case .complex(let type): place = .complex(type)
        case .value(let type, let form): place = .value(type, form)
        }
    }

    /// Begins with a path.
    init(_ path: BoundPath, at place: Place) {
        self.path = path
        self.place = place
    }

    /// The whole path as an expression.
    var result: BoundExpression {
        if path.property.isEmpty, path.steps.isEmpty, case .value(let type, let form) = place,
            !type.isCollection
        {
            return .variable(path.variable, form)
        }
        var path = path
        if case .entity(let type, _) = place {
            // A path that ends with a navigation property means the property as a whole.
            path.type = TypeReference(.structured(type))
        }
        return .path(path)
    }

    // MARK: Following

    /// Takes one more segment.
    mutating func follow(_ member: WrittenMember, in binder: Binder) throws(ODataURLError) {
        switch member.kind {
        case .name(let name): try follow(name, at: member.offset, in: binder)
        case .call(let name, _):
            throw ODataURLError(
                .notSupported,
                at: member.offset,
                "functions and keys are not offered inside paths of expressions",
                found: name
            )
        case .annotation(let name):
            throw ODataURLError(
                .notSupported,
                at: member.offset,
                "annotations have no values here",
                found: "@" + name
            )
        case .special(let name), .variable(let name):
            throw ODataURLError(
                .meaning,
                at: member.offset,
                "\(name) cannot stand here",
                found: name
            )
        case .alias(let name):
            throw ODataURLError(.meaning, at: member.offset, "an alias begins a path", found: name)
        case .key, .keySegment, .aggregate:
            throw ODataURLError(
                .notSupported,
                at: member.offset,
                "keys and aggregates are not offered inside paths of expressions"
            )
        case .lambda, .count, .filter:
            if case .dynamic = place { throw Self.dynamicCollection(at: member.offset) }
            throw ODataURLError(.meaning, at: member.offset, "no collection stands before")
        }
    }

    private mutating func follow(_ name: String, at offset: Int, in binder: Binder)
        throws(ODataURLError)
    {
        switch place {
        case .entity(let type, let source):
            try enter(name, of: type, from: source, at: offset, in: binder)
        case .complex(let type): try enter(name, of: type, from: nil, at: offset, in: binder)
        case .entities(let type, let source)
        where binder.model.castName(name, of: type).utf8.contains(Byte.dot):
            let qualified = binder.model.castName(name, of: type)
            let derived = try binder.cast(qualified, from: type, at: offset)
            path.navigationCast = derived
            place = .entities(derived, source)
        case .entities, .values:
            throw ODataURLError(
                .meaning,
                at: offset,
                "a collection stands before \(name)",
                found: name,
                expected: ["any(…)", "all(…)", "$count"]
            )
        case .value:
            throw ODataURLError(
                .meaning,
                at: offset,
                "a primitive value has no \(name)",
                found: name
            )
        case .dynamic: path.property.append(name)
        }
    }

    private mutating func enter(
        _ name: String,
        of type: StructuredTypeID,
        from source: NavigationSource?,
        at offset: Int,
        in binder: Binder
    ) throws(ODataURLError) {
        let model = binder.model
        if name.utf8.contains(Byte.dot) {
            return try narrow(name, to: type, from: source, at: offset, in: binder)
        }
        if let property = model.property(name, of: type) {
            guard binder.limits.allowsUnreadable || !property.isUnreadable else {
                throw ODataURLError(
                    .meaning,
                    at: offset,
                    "\(name) cannot be read: the metadata says so (Core.Permissions)",
                    found: name
                )
            }
            return enter(property, in: model)
        }
        if let navigation = model.navigationProperty(name, of: type) {
            return try navigate(navigation, at: offset, in: binder)
        }
        let cast = model.castName(name, of: type)
        if cast.utf8.contains(Byte.dot) {
            return try narrow(cast, to: type, from: source, at: offset, in: binder)
        }
        if model.isOpen(type) {
            path.property.append(name)
            // Of the complex value before it, the type is known; of this one it is not.
            path.type = nil
            place = .dynamic
            return
        }
        let names =
            model.properties(of: type).map(\.name)
            + model.navigationProperties(of: type).map(\.name)
        throw binder.unknown(name, at: offset, what: model[type].name, among: names)
    }

    private mutating func narrow(
        _ name: String,
        to type: StructuredTypeID,
        from source: NavigationSource?,
        at offset: Int,
        in binder: Binder
    ) throws(ODataURLError) {
        let derived = try binder.cast(name, from: type, at: offset)
        if case .entity = place {
            path.steps.append(.cast(derived))
            place = .entity(derived, source)
        } else {
            path.property.append(binder.model[derived].name)
            place = .complex(derived)
        }
    }

    private mutating func enter(_ property: StructuralProperty, in model: EdmModel) {
        path.property.append(property.name)
        path.type = property.type
        if property.type.isCollection {
            place = .values(property.type)
        } else if case .structured(let id) = property.type.type {
            place = .complex(id)
        } else {
            path.form = ScalarForm(property.type, in: model)
            place = .value(property.type, path.form)
        }
    }

    private mutating func navigate(_ id: NavigationPropertyID, at offset: Int, in binder: Binder)
        throws(ODataURLError)
    {
        let property = binder.model[id]
        guard let target = property.target else {
            throw ODataURLError(
                .unknownName,
                at: offset,
                "the type that \(property.name) leads to is not in the model",
                found: property.name
            )
        }
        let source = currentSource.flatMap { binder.model.target(of: id, from: $0) }
        path.steps += path.property.map { .complex($0) }
        path.property = []
        path.type = nil
        guard property.isCollection else {
            path.steps.append(.navigation(id, to: source))
            place = .entity(target, source)
            return
        }
        path.navigation = id
        path.navigationTarget = source
        place = .entities(target, source)
    }

    /// Goes by a navigation property whose target lives in a set that is known; answers whether it does.
    mutating func navigate(_ id: NavigationPropertyID, in model: EdmModel) -> Bool {
        let property = model[id]
        guard let target = property.target,
            let source = currentSource.flatMap({ model.target(of: id, from: $0) })
        else { return false }
        guard property.isCollection else {
            path.steps.append(.navigation(id, to: source))
            path.type = TypeReference(.structured(target))
            place = .entity(target, source)
            return true
        }
        path.type = nil
        path.navigation = id
        path.navigationTarget = source
        place = .entities(target, source)
        return true
    }

    /// Where the entity that the path has reached lives; complex properties are looked through.
    private var currentSource: NavigationSource? {
        if case .entity(_, let source) = place { return source }
        for step in path.steps.reversed() {
            if case .navigation(_, let source) = step { return source }
        }
        return rootSource
    }

    // MARK: Collections

    /// Returns the path as a collection, and what an item of it is.
    func collection(_ offset: Int, in binder: Binder) throws(ODataURLError)
        -> (BoundPath, BoundVariable.Item)
    {
        switch place {
        case .entities(let type, let source): return (path, .entity(type, source))
        case .values(let reference): return (path, binder.item(of: reference))
        case .dynamic: throw Self.dynamicCollection(at: offset)
        default:
            throw ODataURLError(
                .type,
                at: offset,
                "no collection stands before",
                expected: ["a collection of entities or values"]
            )
        }
    }

    /// What a dynamic property holds is known of each entity by itself.
    private static func dynamicCollection(at offset: Int) -> ODataURLError {
        ODataURLError(
            .notSupported,
            at: offset,
            "collections in dynamic properties are not offered in expressions"
        )
    }
}
