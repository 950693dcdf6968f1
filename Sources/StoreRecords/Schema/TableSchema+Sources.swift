import ODataSQL
package import ODataModel
package import ODataTables

extension TableSchema {
    /// The source of this name: a set, a singleton or a contained collection.
    ///
    /// Nothing here grows with the model, whose types may be read when somebody asks for them.
    package func source(named name: String) -> NavigationSource? {
        model.navigationSource(named: name) ?? containment(named: name)
    }

    /// The containment property named `NS.Type/Property`.
    private func containment(named name: String) -> NavigationSource? {
        guard let slash = name.lastIndex(of: "/"),
            let type = model.structuredType(named: String(name[..<slash])),
            let index = model[type].navigationProperties.firstIndex(where: {
                $0.name == name[name.index(after: slash)...]
            })
        else { return nil }
        let source = NavigationSource.contained(NavigationPropertyID(type: type, index: index))
        return model.isNavigationSource(source) ? source : nil
    }
}
