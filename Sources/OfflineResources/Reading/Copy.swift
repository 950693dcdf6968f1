#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import OfflineOData
import OfflineStore

/// When a read looks at a copy.
struct CopyMoment: Sendable {
    var now: Date
    var session: Int
}

/// The copy of a resource in the store, and how it is read.
struct Copy: Sendable {
    var state: CopyState
    var source: ReadSource
    var origin: OfflineODataOrigin

    /// - Parameters:
    ///   - stored: The record of the resource, fetched or not, with what is known of it.
    ///   - isEmpty: Whether the copy has no entities; asked where there is one.
    init(
        _ held: HeldResource,
        _ stored: (collection: StoredCollection, resource: KnownResource)?,
        _ moment: CopyMoment,
        isEmpty: (StoredCollection) throws -> Bool
    ) rethrows {
        func age(_ collection: StoredCollection, _ attributes: CopyAttributes? = nil) -> CopyAge {
            CopyAge(collection, attributes, at: moment.now, session: moment.session)
        }
        let own = stored.flatMap {
            $0.collection.isFetched ? age($0.collection, $0.resource.attributes) : nil
        }
        let holding = held.isSingle ? held.collections.map { age($0) } : []
        if let own, !held.isDurable || !held.isSingle {
            self.init(own, holding, isEmpty: try isEmpty(own.collection))
        } else {
            self.init(held, own, holding)
        }
    }

    /// The stored answer of the resource itself.
    private init(_ own: CopyAge, _ holding: [CopyAge], isEmpty: Bool) {
        // An entity is as new as the newest answer that brought it.
        let newest = holding.reduce(own) { newest, other in
            (newest.fetched ?? .distantPast) < (other.fetched ?? .distantPast) ? other : newest
        }
        origin = OfflineODataOrigin(
            place: .store,
            date: newest.fetched,
            isExpired: newest.isExpired
        )
        source = .collection(own.collection, origin)
        state = CopyState(isPresent: true, isEmpty: isEmpty, isExpired: origin.isExpired)
    }

    /// What the store has beside an answer of the resource itself.
    private init(_ held: HeldResource, _ own: CopyAge?, _ holding: [CopyAge]) {
        guard held.isPresent else {
            (state, source) = (.absent, .nothing)
            origin = OfflineODataOrigin(place: .nowhere)
            return
        }
        let newest = held.isDurable ? nil : holding.first
        origin = OfflineODataOrigin(
            place: .store,
            date: newest?.fetched ?? (own ?? holding.first)?.fetched,
            isExpired: newest?.isExpired ?? false
        )
        (state, source) = (CopyState(isPresent: true, isExpired: origin.isExpired), .store)
    }
}
