import ODataModel
import ODataProtocol
import ODataTables

/// The sources of which a query brings only some properties, at top level or by an expand.
enum QuerySelection {
    static func partialSources(of query: DefiningQuery, in schema: TableSchema) -> Set<
        NavigationSource
    > {
        guard let bound = try? BoundRequest(ofService: query.url, in: schema.model),
            case .entities(let path) = bound.resource
        else { return [] }
        return sources(path.finalSource, bound.options)
    }

    private static func sources(_ source: NavigationSource?, _ options: BoundOptions) -> Set<
        NavigationSource
    > {
        var found: Set<NavigationSource> = []
        if let source, case .paths = options.select { found.insert(source) }
        for expand in options.expand { found.formUnion(sources(expand.target, expand.options)) }
        return found
    }
}
