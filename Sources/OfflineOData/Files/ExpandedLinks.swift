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
    /// Where entities come in each query, by the names of the queries.
    private let places: [String: [Place]]

    init(_ queries: [OfflineODataDefiningQuery], layout: Layout) {
        self.layout = layout
        var places: [String: [Place]] = [:]
        var isReadable = true
        for query in queries {
            guard
                let asked = AddressedEntities(query.query, in: layout.model)
            else {
                isReadable = false
                continue
            }
            var found: [Place] = []
            for case .navigation(let id, _) in asked.path.steps {
                found.append(Place(source: nil, expanded: [id]))
            }
            Self.collect(asked.options, of: asked.path.finalSource, into: &found)
            places[query.name] = found
        }
        let all = places.values.joined().reduce(Set()) { $0.union($1.expanded) }
        self.places = places
        navigations = isReadable ? all : nil
    }

    /// Where in a query entities come, and what is expanded there; without a source what the query's path leads through.
    private struct Place {
        var source: NavigationSource?
        var expanded: Set<NavigationPropertyID>
    }

    private static func collect(
        _ options: BoundOptions,
        of source: NavigationSource?,
        into places: inout [Place]
    ) {
        places.append(Place(source: source, expanded: Set(options.expand.map(\.navigation))))
        for item in options.expand {
            if case .entities = item.shape {
                collect(item.options, of: item.target, into: &places)
            }
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
    ///
    /// Where a query brings them in one of several places alone, nothing says for which entities.
    func hold(
        _ id: NavigationPropertyID,
        from source: NavigationSource,
        ofWhatComesBy queries: [String]
    ) -> Bool {
        guard let navigations, !isPartnerBrought(id, navigations) else { return true }
        return queries.contains { name in
            guard let places = places[name] else { return true }
            let own = places.filter { $0.source == source }
            return places.contains { $0.source == nil && $0.expanded.contains(id) }
                || !own.isEmpty && own.allSatisfy { $0.expanded.contains(id) }
        }
    }

    private func isPartnerBrought(
        _ id: NavigationPropertyID,
        _ navigations: Set<NavigationPropertyID>
    ) -> Bool {
        layout.partner(of: id).map(navigations.contains) ?? false
            || navigations.contains { layout.partner(of: $0) == id }
    }
}
