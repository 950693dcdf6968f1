import ODataModel
import StoreExchange

/// The columns of an answer without rows, by its context URL (OData JSON 4.01 § 10): the properties that are selected, or all of the type.
struct ContextColumns {
    let names: [String]

    /// Reads a context such as `$metadata#Parts`, `$metadata#Parts(ID,Name)` or `$metadata#Parts/NS.Spare`; of any other no column is known.
    init(_ context: String, in model: EdmModel) {
        let fragment = context.split(separator: "#", maxSplits: 1).dropFirst().first ?? ""
        let path = fragment.prefix { $0 != "(" }
        let list = fragment[path.endIndex...]
        guard let type = Self.type(of: path, in: model) else {
            names = path == "Collection" && !list.contains("$ref") ? ["value"] : []
            return
        }
        let properties = model.properties(of: type)
        guard let selected = Self.items(list), !selected.isEmpty, !selected.contains("*") else {
            names = Self.paths(of: properties, below: "", in: model, within: [])
            return
        }
        names = selected.flatMap { name in
            guard let property = properties.first(where: { $0.name == name }) else { return [name] }
            return Self.paths(of: [property], below: "", in: model, within: [])
        }
    }

    /// The type of the entities of a set, or the derived one that stands behind it.
    private static func type(of path: Substring, in model: EdmModel) -> StructuredTypeID? {
        let segments = path.split(separator: "/")
        guard let name = segments.first,
            let set = model.container.entitySets.first(where: { $0.name == name })
        else { return nil }
        switch segments.count {
        case 1: return set.type
        case 2: return model.hierarchy(below: set.type).first { model[$0].name == segments[1] }
        default: return nil
        }
    }

    /// The properties of a select list, without expanded ones; nil where there is none.
    private static func items(_ list: Substring) -> [String]? {
        guard list.hasPrefix("("), list.hasSuffix(")") else { return nil }
        return ContextSelectList(list.dropFirst().dropLast())?.items
            .filter { $0.nested == nil }.map(\.name)
    }

    /// Complex values have a column for each part, as those of rows; one inside of its own type has none.
    private static func paths(
        of properties: [StructuralProperty],
        below path: String,
        in model: EdmModel,
        within types: [StructuredTypeID]
    ) -> [String] {
        properties.flatMap { property -> [String] in
            if case .primitive(.stream) = property.type.type { return [] }
            let path = path + property.name
            guard case .structured(let type) = property.type.type, !property.type.isCollection,
                !types.contains(type)
            else { return [path] }
            let paths = paths(
                of: model.properties(of: type),
                below: path + "/",
                in: model,
                within: types + [type]
            )
            return paths.isEmpty ? [path] : paths
        }
    }
}
