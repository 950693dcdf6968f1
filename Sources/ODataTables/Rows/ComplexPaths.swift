import ODataModel

/// Finds the complex values of an entity that are of a type, as paths in URLs: `/Home`, `/Home/Place`, `/Main/Model.Tag`.
struct ComplexPaths {
    let model: EdmModel
    let target: StructuredTypeID

    /// Values nested deeper are not looked at.
    private static let maximumDepth = 4

    /// The paths from entities of a type and of those derived from it.
    func paths(from owner: StructuredTypeID) -> [String] {
        model.hierarchy(below: owner).flatMap { type -> [String] in
            let start = type == owner ? "" : "/" + model[type].name
            let own = type == owner ? model.lineage(of: type) : [type]
            return own.flatMap { paths(in: $0, behind: start, depth: 1) }
        }
    }

    private func paths(in type: StructuredTypeID, behind start: String, depth: Int) -> [String] {
        guard depth <= Self.maximumDepth else { return [] }
        return model[type].properties.flatMap { property -> [String] in
            guard case .structured(let inner) = property.type.type, !property.type.isCollection
            else { return [] }
            let path = start + "/" + property.name
            if model.type(inner, isOrExtends: target) { return [path] }
            let narrowed =
                model.type(target, isOrExtends: inner) ? [path + "/" + model[target].name] : []
            return narrowed
                + model.lineage(of: inner).flatMap { paths(in: $0, behind: path, depth: depth + 1) }
        }
    }
}
