import ODataSQL
import StoreRecords
import ODataModel
import ODataTables

/// Single links that were replaced here and lead elsewhere at the service by now.
extension StagedMerge {
    /// Keeps single links single: the target that the service has is the one that the waiting change replaces.
    func replaceTheirs(_ id: NavigationPropertyID, named name: String, isReversed: Bool) throws {
        let isSingle = !layout.model[id].isCollection
        let isSingleBack = layout.partner(of: id).map { !layout.model[$0].isCollection } ?? false
        guard isSingle || isSingleBack else { return }
        for item in try EffectJournal(connection).added(in: name) {
            if isSingle {
                try replaceTheirs(besides: item.link, request: item.request, isReversed: isReversed)
            }
            if isSingleBack {
                try replaceTheirs(
                    besides: item.link,
                    request: item.request,
                    isReversed: !isReversed
                )
            }
        }
    }

    private func replaceTheirs(besides link: RowLink, request: Int64, isReversed: Bool) throws {
        let (rows, journal) = (RowEditor(catalog), EffectJournal(connection))
        let (near, kept) = isReversed ? (link.target, link.source) : (link.source, link.target)
        let linked = try rows.linked(to: near, table: link.table, isReversed: isReversed)
        guard linked.contains(kept) else { return }
        for other in linked where other != kept {
            let (source, target) = isReversed ? (other, near) : (near, other)
            let theirs = RowLink(table: link.table, source: source, target: target)
            guard try journal.base(of: theirs) == nil else { continue }
            try journal.keepBase(of: theirs, isThere: true)
            try journal.add([.link(theirs, isAdded: false)], of: request)
            try rows.unlink(source, to: target, table: link.table, isReversed: false)
        }
    }
}
