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
        /// An entity below an expanded property.
        case other(RowReference)
        case link(source: String, relationship: String, target: String, isAdded: Bool)

        /// Whether the item says something else than that one of these entities is gone, which it is added to.
        fileprivate func isNews(_ reported: inout Set<String>) -> Bool {
            switch self {
            case .removed(let url), .otherRemoved(_, let url): reported.insert(url).inserted
            case .row, .other, .link: true
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
                } else {
                    rows.insert(entry.row)
                }
            }
        }
        var others: [Item] = []
        for expand in options.expand {
            if standsAlone(expand) {
                others += try self.others(below: expand)
            } else {
                let changed = try changedRows(below: expand)
                for row in try query.owners(of: changed, by: expand.navigation, from: source) {
                    rows.insert(row)
                }
            }
        }
        // An entity may be reached by several ways; that it is gone is said once.
        var reported: Set<String> = []
        return removed.filter { $0.isNews(&reported) } + rows.order.map { .row($0) }
            + others.filter { $0.isNews(&reported) } + links
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

    private func others(below expand: BoundExpand) throws -> [Item] {
        guard let target = expand.target else { return [] }
        let set = model.name(of: target)
        return try items(of: target, expand.options).map { item in
            switch item {
            case .removed(let url): .otherRemoved(set: set, url: url)
            case .row(let row): .other(RowReference(source: target, row: row))
            default: item
            }
        }
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
