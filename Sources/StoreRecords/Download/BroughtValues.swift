import ODataBinding
import ODataModel
package import ODataSQL
package import ODataTables

/// What a query brings of the entities of a table.
package struct BroughtValues {
    /// Where in the query entities come.
    package enum Place: Sendable {
        case anywhere
        /// In the query's own result.
        case result
        /// Inside of other entities.
        case expands
    }

    package var columns: Set<Int> = []
    /// Whether properties that the model does not declare come, too.
    var hasDynamic = false
    /// The navigation properties that are expanded.
    var navigations: Set<NavigationPropertyID> = []

    init() {}

    package init(
        of query: DefiningQuery,
        _ table: TableLayout,
        in schema: TableSchema,
        at place: Place = .anywhere
    ) {
        guard let asked = AddressedEntities(query.url, in: schema.model) else {
            columns = Set(table.columns.indices)
            hasDynamic = true
            return
        }
        let source = asked.path.finalSource
        let names = Set(table.columns.compactMap(\.path.first))
        for select in QuerySelection.selections(
            source,
            options: asked.options,
            of: table,
            at: place
        ) {
            columns.formUnion(QuerySelection.selected(select, in: table))
            let isNamed = select.paths?.contains { !names.contains($0.first ?? "") } ?? true
            hasDynamic = hasDynamic || isNamed
        }
        if place != .expands, source == table.source {
            navigations.formUnion(asked.options.expand.map(\.navigation))
        }
        guard place != .result else { return }
        navigations.formUnion(
            asked.options.expand.flatMap { Self.navigations(below: $0, of: table) }
        )
    }

    private static func navigations(below expand: BoundExpand, of table: TableLayout)
        -> [NavigationPropertyID]
    {
        let own =
            expand.target == table.source ? expand.options.expand.map(\.navigation) : []
        return own + expand.options.expand.flatMap { navigations(below: $0, of: table) }
    }

    /// Adds what another query brings.
    mutating func formUnion(_ other: BroughtValues) {
        columns.formUnion(other.columns)
        hasDynamic = hasDynamic || other.hasDynamic
        navigations.formUnion(other.navigations)
    }
}
