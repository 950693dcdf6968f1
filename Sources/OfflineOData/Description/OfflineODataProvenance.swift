import OfflineProvider
import ODataSQL
import StoreRecords
import OfflineStore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why an entity is in the store: which queries hold it, which versions of it there are, what waits, and what refers to it.
public struct OfflineODataProvenance: Sendable {
    /// A defining query that holds the entity.
    public struct Query: Sendable, Hashable, Codable, Identifiable {
        /// Name, unique in the store.
        public let name: String
        /// URL relative to the service root.
        public let url: String
        /// When the query was last loaded; nil before the first time.
        public let lastDownload: String?
        /// The name.
        public var id: String { name }
    }

    /// A stored read that holds the entity, which a fetch policy keeps.
    public struct Collection: Sendable, Hashable, Codable, Identifiable {
        /// What the reader asked.
        public let name: String
        /// URL that it is fetched from.
        public let url: String
        /// When the service last confirmed it.
        public let fetched: Date?
        /// From when it is out of date; nil where nothing says so.
        public let expires: Date?
        /// The name.
        public var id: String { name }
    }

    /// Entities that refer to the entity by one property.
    public struct Reference: Sendable, Hashable, Codable {
        /// Set of the referring entities, or the path of contained ones.
        public let entitySet: String
        /// Their navigation property.
        public let property: String
        /// How many there are in the store.
        public let count: Int
        /// URLs of the first of them.
        public let urls: [String]
    }

    /// URL relative to the service root.
    public let url: String
    /// Name of the set or singleton, or the path of contained entities.
    public let entitySet: String
    /// Qualified name of the entity's own type.
    public let type: String
    /// ETag of the version that the store has; nil where the service gave none, or it is out of date.
    public let etag: String?
    /// Whether the entity was created here and the service does not know it yet.
    public let isCreatedHere: Bool
    /// Whether the entity was changed here, and no download has brought the result.
    public let isLocal: Bool
    /// Whether a change waits.
    public let hasPendingChanges: Bool
    /// Whether a change was refused and stands in the error archive.
    public let isInErrorState: Bool
    /// Whether the service has another version than the one that was changed here, or has it no more.
    public let isInConflict: Bool
    /// Whether the entity is deleted here.
    public let isDeletedHere: Bool
    /// Whether the service has deleted it.
    public let isGone: Bool
    /// Whether the last download has inserted or updated it.
    public let isFromLastDownload: Bool
    /// The defining queries that hold it; without any, and without stored reads, the next download may remove it.
    public let queries: [Query]
    /// The stored reads that hold it.
    public let collections: [Collection]
    /// The entity as it was, as it is, and as the service has it.
    public let versions: OfflineODataConflict
    /// Requests that change it, waiting and refused, in the order of the queue.
    public let requests: [OfflineODataRequest]
    /// Numbers of requests that name it and change another entity.
    public let referringRequestIDs: [Int64]
    /// What refers to it.
    public let references: [Reference]

    init(_ found: EntityProvenance) {
        (url, entitySet, type, etag) = (found.url, found.set, found.type, found.etag)
        isCreatedHere = found.state.contains(.created)
        isLocal = found.state.contains(.local)
        hasPendingChanges = found.state.contains(.pending)
        isInErrorState = found.state.contains(.inError)
        isInConflict = found.state.contains(.conflict) || found.versions.isGone
        isDeletedHere = found.isDeletedHere
        isGone = found.versions.isGone
        isFromLastDownload = found.isFromLastDownload
        queries = found.queries.map {
            Query(name: $0.name, url: $0.url, lastDownload: $0.lastDownload)
        }
        collections = found.collections.map {
            Collection(
                name: $0.name,
                url: $0.url,
                fetched: $0.fetched.map(Self.date),
                expires: $0.expires.map(Self.date)
            )
        }
        versions = OfflineODataConflict(found.versions, of: found.set)
        requests = found.requests.map(OfflineODataRequest.init)
        referringRequestIDs = found.referringRequestIDs
        references = found.references.map {
            Reference(entitySet: $0.set, property: $0.property, count: $0.count, urls: $0.links)
        }
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
