import ODataSQL
import OfflineValues
import ODataBinding
import StoreRecords
import ODataModel

/// The links that defining queries bring: of others a store knows only those that were made here, so there is nothing to compare.
struct ExpandedLinks: Sendable {
    private let layout: Layout
    /// Navigation properties that a query expands or follows; nil where a query cannot be read, so that any may be among them.
    private let navigations: Set<NavigationPropertyID>?
    /// The same by the names of the queries.
    private let byQuery: [String: Set<NavigationPropertyID>]

    init(_ queries: [OfflineODataDefiningQuery], layout: Layout) {
        self.layout = layout
        var byQuery: [String: Set<NavigationPropertyID>] = [:]
        var isReadable = true
        for query in queries {
            guard
                let asked = AddressedEntities(query.query, in: layout.model)
            else {
                isReadable = false
                continue
            }
            var found: Set<NavigationPropertyID> = []
            for case .navigation(let id, _) in asked.path.steps { found.insert(id) }
            Self.collect(asked.options, into: &found)
            byQuery[query.name] = found
        }
        self.byQuery = byQuery
        navigations = isReadable ? byQuery.values.reduce(into: []) { $0.formUnion($1) } : nil
    }

    private static func collect(
        _ options: BoundOptions,
        into found: inout Set<NavigationPropertyID>
    ) {
        for item in options.expand {
            found.insert(item.navigation)
            collect(item.options, into: &found)
        }
    }

    /// Whether the store has the links of a property from the service; those of a foreign key are values.
    func hold(
        _ id: NavigationPropertyID,
        from source: NavigationSource,
        to target: NavigationSource
    ) -> Bool {
        guard let navigations,
            case .links = layout.relationship(id, from: source, to: target)
        else { return true }
        return navigations.contains(id) || isPartnerBrought(id, navigations)
    }

    /// Whether the store has the links of a property of an entity that queries of these names bring: another one may bring the other end.
    func hold(_ id: NavigationPropertyID, ofWhatComesBy queries: [String]) -> Bool {
        guard let navigations, !isPartnerBrought(id, navigations) else { return true }
        return queries.contains { byQuery[$0]?.contains(id) ?? true }
    }

    private func isPartnerBrought(
        _ id: NavigationPropertyID,
        _ navigations: Set<NavigationPropertyID>
    ) -> Bool {
        layout.partner(of: id).map(navigations.contains) ?? false
            || navigations.contains { layout.partner(of: $0) == id }
    }
}
