import StoreRecords
import OfflineOData
import OfflineStore

/// The copy of a resource in the store, and how it is read.
struct Copy: Sendable {
    let state: CopyState
    let source: ReadSource
    let origin: OfflineODataOrigin

    /// - Parameters:
    ///   - stored: The record of the resource, fetched or not.
    ///   - age: Answers how old a copy is; asked where that matters.
    ///   - isEmpty: Whether a copy has no entities; asked where there is one.
    init(
        _ held: HeldResource,
        stored: StoredCollection?,
        age: (StoredCollection) -> CopyAge,
        isEmpty: (StoredCollection) throws -> Bool
    ) rethrows {
        let own = stored.flatMap { $0.isFetched ? $0 : nil }
        if let own, !held.isDurable || !held.isSingle {
            // An entity is as new as the newest answer that brought it.
            let newest = age(held.newest.map { Self.newer(of: own, $0) } ?? own)
            let isExpired = newest.isExpired
            origin = OfflineODataOrigin(place: .store, date: newest.fetched, isExpired: isExpired)
            source = .collection(own, origin)
            state = CopyState(isPresent: true, isEmpty: try isEmpty(own), isExpired: isExpired)
        } else if held.isPresent {
            // What a defining query holds does not expire, nor what was created here and waits; a copy with pending changes expires as
            // others do; the age of a copy that was uploaded and never fetched is unknown.
            let newest = held.isDurable ? nil : held.newest
            origin = OfflineODataOrigin(
                place: .store,
                date: (newest ?? own ?? held.newest)?.fetchDate,
                isExpired: newest.map { age($0).isExpired }
                    ?? !(held.isDurable || held.hasPendingChanges)
            )
            state = CopyState(isPresent: true, isPart: held.isPart, isExpired: origin.isExpired)
            source = .store
        } else {
            (state, source) = (.absent, .nothing)
            origin = OfflineODataOrigin(place: .nowhere)
        }
    }

    private static func newer(of own: StoredCollection, _ other: StoredCollection)
        -> StoredCollection
    {
        (other.fetched ?? .min) > (own.fetched ?? .min) ? other : own
    }
}
