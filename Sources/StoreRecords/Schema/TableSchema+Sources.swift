package import ODataSQL
package import ODataModel
package import ODataTables

extension TableSchema {
    /// The source of this name: a set, a singleton or a contained collection.
    ///
    /// Reads no type but the one that is named.
    package func source(named name: String) -> NavigationSource? {
        containment(named: name) ?? model.navigationSource(named: name)
    }

    /// The set, singleton or containment property of the entity that a request is about; nil where the model has none.
    package func source(of entry: QueueEntry) -> NavigationSource? {
        entry.source.flatMap { source(named: $0) }
    }

    /// The table of the entity that a request is about.
    package func table(of entry: QueueEntry) -> TableLayout? {
        source(of: entry).flatMap { layout[$0] }
    }

    /// The row that a request is about, and its table; nil where it is about none, or the model has none.
    package func row(of entry: QueueEntry) -> (row: Int64, table: TableLayout)? {
        guard let row = entry.row, let table = table(of: entry) else { return nil }
        return (row, table)
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
