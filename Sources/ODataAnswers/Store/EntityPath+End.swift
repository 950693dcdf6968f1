package import ODataBinding
package import ODataValues
package import ODataModel

extension EntityPath {
    /// A navigation property at the end of a path, and the path of the entity that has it.
    package struct TrailingNavigation {
        package var owner: EntityPath
        package var navigation: NavigationPropertyID
        package var target: NavigationSource?
    }

    /// The navigation property that the path ends with, casts after it left out; nil where it ends with a key or a set.
    package var trailingNavigation: TrailingNavigation? {
        var steps = steps
        while let last = steps.last, last.isCast { steps.removeLast() }
        guard case .navigation(let id, let target)? = steps.last else { return nil }
        let owner = EntityPath(source: source, steps: Array(steps.dropLast()))
        return TrailingNavigation(owner: owner, navigation: id, target: target)
    }

    /// The key that the path ends with.
    package var trailingKey: [Scalar]? {
        var steps = steps
        while let last = steps.last, last.isCast { steps.removeLast() }
        if case .key(let values)? = steps.last { return values }
        return nil
    }

    /// The type that the entities reached are restricted to: by a cast behind the last navigation property, not by one on the way
    /// (OData 4.01 Part 1 §§ 10.5, 10.6).
    package var restrictingCast: StructuredTypeID? {
        for step in steps.reversed() {
            switch step {
            case .cast(let type): return type
            case .navigation, .complex: return nil
            case .key, .alternateKey, .localID: continue
            }
        }
        return nil
    }

    /// The path without its last key: the collection that the entity is in.
    package var collection: EntityPath {
        var steps = steps
        while let last = steps.last, last.isCast { steps.removeLast() }
        if case .key? = steps.last { steps.removeLast() }
        return EntityPath(source: source, steps: steps)
    }
}

extension EntityPath.Step {
    /// Whether the step only narrows the type.
    package var isCast: Bool {
        if case .cast = self { true } else { false }
    }
}
