#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import OfflinePolicies
import StoreRecords

/// A read whose answer the store keeps, with the policies that are stored with it.
public struct StoredResource: Sendable, Identifiable {
    /// URL relative to the service root.
    public let url: String
    /// Name in the store: the URL, with the reader's header fields behind it where there are any.
    public let id: String
    /// When the service last confirmed it; nil for one that was never fetched.
    public let fetched: Date?
    /// From when it is stale; nil where no time says so.
    public let expires: Date?
    /// Whether it is stale now.
    public let isExpired: Bool
    /// The validator of the known version: an ETag or what the service uses for one.
    public let validator: String?
    /// Whether the service can be asked for changes alone.
    public let hasDeltaLink: Bool
    /// Bytes of the answers that made it.
    public let byteCount: Int
    /// The effective policies when it was last fetched, each with the level that it came from.
    public let policy: EffectivePolicy
    /// Policies that the application has set for this resource; they come before those of its path.
    public let ownPolicy: ResourcePolicy
    /// How early it is synchronised.
    public let pinPriority: PinPriority

    init(_ age: CopyAge) {
        let collection = age.collection
        url = collection.url
        id = collection.name
        fetched = age.fetched
        expires = collection.expires.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
        isExpired = age.isExpired
        validator = collection.validator
        hasDeltaLink = collection.deltaLink != nil
        byteCount = age.attributes.byteCount
        policy = age.attributes.policy ?? .library
        ownPolicy = age.attributes.own
        pinPriority = age.attributes.pin
    }
}
