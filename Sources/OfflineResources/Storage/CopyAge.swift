#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import StoreRecords
import OfflinePolicies

/// Whether a stored collection is stale at a moment.
struct CopyAge: Sendable {
    let collection: StoredCollection
    let attributes: CopyAttributes
    /// Milliseconds since 1970.
    let now: Int64
    let session: Int

    /// - Parameter attributes: Those of the collection, where they have been read before.
    init(
        _ collection: StoredCollection,
        attributes: CopyAttributes? = nil,
        at now: Date,
        session: Int
    ) {
        self.collection = collection
        self.attributes = attributes ?? CopyAttributes(collection.attributes)
        self.now = now.milliseconds
        self.session = session
    }

    /// Whether the copy is of an earlier session, and expires with it.
    private var isOfEarlierSession: Bool {
        attributes.session.map { $0 != session } ?? false
    }

    /// Whether a clock that went back makes the age unknown.
    private var isFromTheFuture: Bool { collection.fetched.map { $0 > now } ?? false }

    /// Whether the copy counts as stale: where its age cannot be known, it does.
    var isExpired: Bool {
        if isOfEarlierSession { return true }
        guard let expires = collection.expires else { return false }
        return expires <= now || isFromTheFuture
    }

    /// Whether the copy is stale beyond doubt, so that it may be deleted.
    var isSurelyExpired: Bool {
        if isOfEarlierSession { return true }
        guard let expires = collection.expires else { return false }
        return expires <= now && !isFromTheFuture
    }

    /// When the copy was fetched.
    var fetched: Date? { collection.fetchDate }

    /// When a copy that is fetched now becomes stale, in milliseconds since 1970; nil for never, and for the next session.
    static func expiry(of policy: EffectivePolicy, fetched now: Date) -> Int64? {
        guard policy.expirationPolicy.value == .after else { return nil }
        let (milliseconds, isHuge) = Int64(max(0, policy.expireAfter.value))
            .multipliedReportingOverflow(by: 1_000)
        guard !isHuge else { return nil }
        let (moment, isBeyond) = now.milliseconds.addingReportingOverflow(milliseconds)
        return isBeyond ? nil : moment
    }
}

extension StoredCollection {
    /// When the service last confirmed it.
    var fetchDate: Date? {
        fetched.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }
}

extension Date {
    /// Milliseconds since 1970.
    var milliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded(.down)) ?? .max
    }
}
