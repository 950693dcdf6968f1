package import ODataBinding
import ODataModel

/// Writes context URLs, which describe a payload (OData 4.01 Part 1 § 10).
package struct ContextURL {
    let model: EdmModel
    let root: String
    let version: ODataVersion

    private var start: String { root + "$metadata" }

    /// The context of entities at a path.
    func entities(_ path: EntityPath, options: BoundOptions, isSingle: Bool, parent: String?)
        -> String
    {
        var text = start + "#" + base(path, parent: parent)
        if let type = path.restrictingCast { text += "/" + model[type].name }
        text += list(options, of: path.entityType(in: model))
        if isSingle, !isSingleton(path) { text += "/$entity" }
        return text
    }

    /// The context of a property of the entity with this entity-id.
    ///
    /// - Parameter cast: The segment of the type that declares the property, where the declared type of the set does not.
    func property(_ names: [String], of entity: String, cast: String) -> String {
        start + "#" + entity + cast + "/" + names.joined(separator: "/")
    }

    /// The context of instances of a type that belong to no set.
    func collection(of type: String) -> String { start + "#Collection(\(type))" }

    var reference: String { start + "#$ref" }
    var references: String { start + "#Collection($ref)" }
    var service: String { start }

    /// The context of a delta payload.
    package func delta(_ path: EntityPath, options: BoundOptions) -> String {
        entities(path, options: options, isSingle: false, parent: nil) + "/$delta"
    }

    /// The context of an entry of a delta payload in version 4.0: `$entity`, `$deletedEntity`, `$link`, `$deletedLink`.
    package func entry(_ source: String, kind: String) -> String {
        start + "#" + source + "/" + kind
    }

    private func isSingleton(_ path: EntityPath) -> Bool {
        if case .singleton? = path.finalSource { true } else { false }
    }

    /// The set; for contained entities the parent's URL, with the cast that the property needs, and the property.
    private func base(_ path: EntityPath, parent: String?) -> String {
        guard let source = path.finalSource else {
            let type = path.entityType(in: model).map { model[$0].name } ?? "Edm.EntityType"
            return path.isSingle(in: model) ? type : "Collection(\(type))"
        }
        guard case .contained(let id) = source, let parent else { return model.name(of: source) }
        return parent + "/" + model[id].name
    }

    private func isSelected(_ path: [String], by select: BoundSelect) -> Bool {
        guard case .paths(let paths) = select else { return true }
        return paths.contains { path.starts(with: $0) }
    }

    /// Paths as a list, those with a common beginning in parentheses after it.
    private func nested(_ paths: [ArraySlice<String>]) -> String {
        var items: [String] = []
        var done: Set<String> = []
        for path in paths {
            guard let name = path.first, done.insert(name).inserted else { continue }
            let inner = paths.filter { $0.first == name && $0.count > 1 }.map { $0.dropFirst() }
            items.append(inner.isEmpty ? name : name + "(" + nested(inner) + ")")
        }
        return items.joined(separator: ",")
    }

    /// A selected path as the context names it: what only a derived type declares stands behind that type's name
    /// (OData 4.01 Part 1 § 10.9).
    private func selected(_ path: [String], of type: StructuredTypeID?) -> String {
        let text = path.joined(separator: "/")
        guard let type, let name = path.first, model.property(name, of: type) == nil else {
            return text
        }
        let owner = model.structuredTypes.indices.first { index in
            model.type(StructuredTypeID(index), isOrExtends: type)
                && model.structuredTypes[index].properties.contains { $0.name == name }
        }
        return owner.map { model.structuredTypes[$0].name + "/" + text } ?? text
    }

    /// A selected navigation property as the context names it.
    private func linked(_ id: NavigationPropertyID, of type: StructuredTypeID?) -> String {
        let isDerived = type.map { !model.type($0, isOrExtends: id.type) } ?? false
        return (isDerived ? model[id.type].name + "/" : "") + model[id].name
    }

    /// The select list: chosen properties, and expanded ones with their own lists (OData 4.01 Part 1 §§ 10.7 to 10.10).
    ///
    /// Expanded references and counts are not in it, and in version 4.0 neither is what is expanded without a list of its own.
    func list(_ options: BoundOptions, of type: StructuredTypeID?) -> String {
        if let grouped = options.common ?? options.grouped {
            let added = options.compute.map { [$0.name] }
            let paths = (grouped + added).filter { isSelected($0, by: options.select) }
            // Rows of which no property is in all (OData Data Aggregation 4.0 § 3.1.1).
            guard !paths.isEmpty else { return "(@Core.AnyStructure)" }
            return "(" + nested(paths[...].map { $0[...] }) + ")"
        }
        var items: [String] = []
        if case .paths(let paths) = options.select {
            items = paths.map { selected($0, of: type) }
        } else if !options.linked.isEmpty {
            items = ["*"]
        }
        items += options.linked.map { linked($0, of: type) }
        for expand in options.expand where expand.shape == .entities {
            let name = (expand.prefix + [model[expand.navigation].name]).joined(separator: "/")
            let inner = list(expand.options, of: expand.cast ?? model[expand.navigation].target)
            guard version >= .v401 || !inner.isEmpty else { continue }
            // What repeats itself has a sign behind its name.
            let sign = expand.options.levels == nil ? "" : "+"
            items.append(name + sign + (inner.isEmpty ? "()" : inner))
        }
        return items.isEmpty ? "" : "(" + items.joined(separator: ",") + ")"
    }
}
