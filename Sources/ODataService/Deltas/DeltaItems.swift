import ODataSQL
import ODataBinding
import ODataAnswers
import ODataModel
import ODataTables

/// What a delta answer holds, before anything is written: each row once, in its last state.
///
/// In version 4.01 changes below an expanded property make the entity itself a changed one, which comes with the whole
/// collection. In 4.0 the entities below stand in the list themselves, and links state their relations (OData JSON 4.0 § 14).
struct DeltaItems {
    /// An entry of the answer.
    enum Item {
        /// An entity of the set that is gone.
        case removed(url: String)
        /// A row of the set; whether it is still in the result shows when it is read.
        case row(Int64)
        /// An entity below an expanded property that is gone.
        case otherRemoved(set: String, url: String)
        /// An entity below an expanded property, and what of it is shown.
        case other(RowReference, BoundOptions)
        case link(source: String, relationship: String, target: String, isAdded: Bool)

        /// Whether the item says something else than that one of these entities is gone, which it is added to.
        ///
        /// An entity may be reached by several ways, and is told of once.
        fileprivate func isNews(_ removed: inout Set<String>, _ told: inout Set<RowReference>)
            -> Bool
        {
            switch self {
            case .removed(let url), .otherRemoved(_, let url): removed.insert(url).inserted
            case .other(let entity, _): told.insert(entity).inserted
            case .row, .link: true
            }
        }
    }

    let query: TableQuery
    let log: ChangeLog
    let isFlat: Bool
    let range: ClosedRange<Int64>
    private var model: EdmModel { query.layout.model }

    /// Returns the items of a set, what is gone first: its keys may have been given again.
    func items(of source: NavigationSource, _ options: BoundOptions) throws -> [Item] {
        var removed: [Item] = []
        var links: [Item] = []
        var others: [Item] = []
        var rows = Rows()
        let names = Dictionary(
            options.expand.map { (model[$0.navigation].name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for entry in try entries(of: source) {
            switch entry.change {
            case .upserted: rows.insert(entry.row)
            case .deleted:
                rows.remove(entry.row)
                removed.append(.removed(url: entry.url))
            case .linked(let name, let target), .unlinked(let name, let target):
                guard let expand = names[name] else { continue }
                if standsAlone(expand) {
                    links.append(link(entry, named: name, to: target))
                    if case .linked = entry.change { others += try reached(target, by: expand) }
                } else {
                    rows.insert(entry.row)
                }
            }
        }
        for expand in options.expand {
            if standsAlone(expand) {
                others += try self.others(below: expand, of: source)
            } else {
                let changed = try changedRows(below: expand)
                for row in try query.owners(of: changed, by: expand.navigation, from: source) {
                    rows.insert(row)
                }
            }
        }
        var (gone, told) = (Set<String>(), Set<RowReference>())
        return removed.filter { $0.isNews(&gone, &told) } + rows.order.map { .row($0) }
            + others.filter { $0.isNews(&gone, &told) } + links
    }

    /// Whether the entities of an expanded property stand in the list themselves; contained ones never do.
    func standsAlone(_ expand: BoundExpand) -> Bool {
        if case .contained? = expand.target { return false }
        return isFlat
    }

    private func link(_ entry: ChangeLog.Entry, named name: String, to target: String) -> Item {
        let isAdded = if case .linked = entry.change { true } else { false }
        return .link(source: entry.url, relationship: name, target: target, isAdded: isAdded)
    }

    private func entries(of source: NavigationSource) throws -> [ChangeLog.Entry] {
        try log.entries(of: model.name(of: source), after: range.lowerBound)
            .filter { $0.sequence <= range.upperBound }
    }

    /// Rows of the expanded level that changed, or that have changed ones below them.
    private func changedRows(below expand: BoundExpand) throws -> [Int64] {
        guard let target = expand.target else { return [] }
        return try items(of: target, expand.options).compactMap { item in
            if case .row(let row) = item { row } else { nil }
        }
    }

    /// What has changed below an expanded property; of the entities only those that it leads to.
    private func others(below expand: BoundExpand, of source: NavigationSource) throws -> [Item] {
        guard let target = expand.target else { return [] }
        let set = model.name(of: target)
        return try items(of: target, expand.options).compactMap { item in
            switch item {
            case .removed(let url): return .otherRemoved(set: set, url: url)
            case .row(let row):
                let owners = try query.owners(of: [row], by: expand.navigation, from: source)
                guard !owners.isEmpty else { return nil }
                return .other(RowReference(source: target, row: row), expand.options)
            default: return item
            }
        }
    }

    /// The entity that a new link leads to: it may be new in the result, although nothing of it has changed.
    private func reached(_ url: String, by expand: BoundExpand) throws -> [Item] {
        try entity(at: url).map { [.other($0, expand.options)] } ?? []
    }

    /// The entity at a URL relative to the service root; nil where there is none.
    func entity(at url: String) throws -> RowReference? {
        guard case .entities(let path) = try BoundRequest(parsing: url, in: model).resource else {
            return nil
        }
        return try query.rows(path).first
    }

    /// Rows in the order in which they changed first, each once.
    private struct Rows {
        private(set) var order: [Int64] = []
        private var known: Set<Int64> = []

        mutating func insert(_ row: Int64) {
            if known.insert(row).inserted { order.append(row) }
        }

        mutating func remove(_ row: Int64) {
            if known.remove(row) != nil { order.removeAll { $0 == row } }
        }
    }
}
