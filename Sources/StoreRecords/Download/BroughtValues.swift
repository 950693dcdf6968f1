import ODataBinding
import ODataModel
import ODataSQL
import ODataTables

/// What a query brings of the entities of a table.
struct BroughtValues {
    /// Where in the query entities come.
    enum Place {
        case anywhere
        /// In the query's own result.
        case result
        /// Inside of other entities.
        case expands
    }

    var columns: Set<Int> = []
    /// Whether properties that the model does not declare come, too.
    var hasDynamic = false
    /// The navigation properties that are expanded.
    var navigations: Set<NavigationPropertyID> = []
    /// Columns of foreign keys that say which entities belong together by being expanded, selected or not.
    var impliedKeys: Set<Int> = []

    init() {}

    init(
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
        let names = Set(table.columns.compactMap(\.path.first))
        for options in Self.uses(asked.path.finalSource, asked.options, of: table, at: place) {
            columns.formUnion(QuerySelection.selected(options.select, in: table))
            let isNamed = options.select.paths?.contains { !names.contains($0.first ?? "") } ?? true
            hasDynamic = hasDynamic || isNamed
            navigations.formUnion(options.expand.map(\.navigation))
        }
        addKeys(asked.path.finalSource, asked.options, of: table, in: schema.layout)
    }

    private mutating func addKeys(
        _ source: NavigationSource?,
        _ options: BoundOptions,
        of table: TableLayout,
        in layout: Layout
    ) {
        for expand in options.expand {
            guard let source, let target = expand.target else { continue }
            switch layout.relationship(expand.navigation, from: source, to: target) {
            case .dependent(let pairs) where source == table.source:
                impliedKeys.formUnion(pairs.map(\.here))
            case .principal(let pairs) where target == table.source:
                impliedKeys.formUnion(pairs.map(\.there))
            default: break
            }
            addKeys(target, expand.options, of: table, in: layout)
        }
    }

    /// The options of each place where entities of a table come.
    private static func uses(
        _ source: NavigationSource?,
        _ options: BoundOptions,
        of table: TableLayout,
        at place: Place
    ) -> [BoundOptions] {
        let own = source == table.source && place != .expands ? [options] : []
        guard place != .result else { return own }
        return own
            + options.expand.flatMap { uses($0.target, $0.options, of: table, at: .anywhere) }
    }

    /// Adds what another query brings.
    mutating func formUnion(_ other: BroughtValues) {
        columns.formUnion(other.columns)
        hasDynamic = hasDynamic || other.hasDynamic
        navigations.formUnion(other.navigations)
        impliedKeys.formUnion(other.impliedKeys)
    }
}
