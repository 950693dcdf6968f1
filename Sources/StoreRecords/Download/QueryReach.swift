import ODataBinding
package import ODataModel
package import ODataTables

/// Which sources a defining query can bring entities of.
package enum QueryReach {
    /// The source that a query itself asks for.
    package static func ownSource(of query: DefiningQuery, in schema: TableSchema)
        -> NavigationSource?
    {
        ownSource(of: query.url, in: schema)
    }

    /// The source that a URL itself asks for.
    package static func ownSource(of url: String, in schema: TableSchema) -> NavigationSource? {
        guard let path = EntityPath(ofService: url, in: schema.model)
        else { return nil }
        return path.finalSource
    }

    /// Whether a query asks for every entity of a set: what it does not bring is not in the set.
    package static func isWholeSet(_ query: DefiningQuery, in schema: TableSchema) -> Bool {
        guard let asked = AddressedEntities(query.url, in: schema.model),
            case .entitySet = asked.path.source,
            asked.path.steps.isEmpty
        else { return false }
        return !QuerySelection.isRestricted(asked.options)
    }

    /// Whether a query brings entities inside of others.
    package static func expands(_ query: DefiningQuery, in schema: TableSchema) -> Bool {
        guard let bound = try? BoundRequest(ofService: query.url, in: schema.model) else {
            return false
        }
        return !bound.options.expand.isEmpty
    }

    package static func sources(of query: DefiningQuery, in schema: TableSchema) -> Set<
        NavigationSource
    > {
        sources(of: query.url, in: schema)
    }

    /// The sources that a URL brings entities of, at any depth.
    package static func sources(of url: String, in schema: TableSchema) -> Set<NavigationSource> {
        guard let asked = AddressedEntities(url, in: schema.model)
        else { return [] }
        func sources(_ expands: [BoundExpand]) -> [NavigationSource] {
            expands.flatMap { [$0.target].compactMap { $0 } + sources($0.options.expand) }
        }
        return Set([asked.path.finalSource].compactMap { $0 } + sources(asked.options.expand))
    }
}
