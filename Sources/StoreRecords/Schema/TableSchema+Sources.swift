import ODataSQL
package import ODataModel
package import ODataTables

extension TableSchema {
    /// The source of this name: a set, a singleton or a contained collection.
    ///
    /// Reads no type but the one that is named.
    package func source(named name: String) -> NavigationSource? {
        containment(named: name) ?? model.navigationSource(named: name)
    }

    /// The containment property named `NS.Type/Property`.
    private func containment(named name: String) -> NavigationSource? {
        guard let slash = name.lastIndex(of: "/"),
            let type = model.structuredType(named: String(name[..<slash])),
            let id = model.navigationProperty(String(name[name.index(after: slash)...]), of: type),
            // The type that declares the property is the one in the name.
            id.type == type, model.isNavigationSource(.contained(id))
        else { return nil }
        return .contained(id)
    }
}
