import ODataBinding
package import ODataModel
package import ODataTables

/// A property that a defining query expands, and the source whose entities have it.
package struct QueryLead {
    package var source: NavigationSource
    package var navigation: NavigationPropertyID
    package var target: NavigationSource

    /// The properties that a query expands, at all levels.
    package static func all(of query: DefiningQuery, in schema: TableSchema) -> [QueryLead] {
        guard let asked = AddressedEntities(query.url, in: schema.model),
            let source = asked.path.finalSource
        else { return [] }
        return all(from: source, asked.options.expand)
    }

    private static func all(from source: NavigationSource, _ expands: [BoundExpand]) -> [QueryLead]
    {
        expands.flatMap { expand -> [QueryLead] in
            guard let target = expand.target else { return [] }
            return [QueryLead(source: source, navigation: expand.navigation, target: target)]
                + all(from: target, expand.options.expand)
        }
    }
}
