import OfflineValues
import StoreRecords

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A store at a glance.
public struct OfflineODataStatus: Sendable, Hashable, Codable {
    /// A defining query at a glance.
    public struct Query: Sendable, Hashable, Codable, Identifiable {
        /// Name, unique in the store.
        public let name: String
        /// URL relative to the service root.
        public let url: String
        /// When it was last loaded, RFC 3339; nil before the first time.
        public let lastDownload: String?
        /// When it was last loaded; nil before the first time.
        public var lastDownloadDate: Date? { lastDownload.flatMap { Date(stored: $0) } }
        /// Whether the service can be asked for changes alone.
        public let hasDeltaLink: Bool
        /// Whether the next download reads it in full all the same.
        public let needsFullRead: Bool
        /// Whether the streams of media entities are downloaded with them.
        public let automaticallyRetrievesStreams: Bool
        /// The name.
        public var id: String { name }
    }

    /// An entity set at a glance.
    public struct EntitySet: Sendable, Hashable, Codable, Identifiable {
        /// Name of the set.
        public let name: String
        /// Entities that the store holds.
        public let entityCount: Int
        /// Those with changes that wait or were refused, also if they are deleted here.
        public let pendingCount: Int
        /// Those with refused changes, also if they are deleted here.
        public let errorCount: Int
        /// Those with changes that wait and none that was refused.
        public var waitingCount: Int { max(0, pendingCount - errorCount) }
        /// The name.
        public var id: String { name }
    }

    /// Service root; nil for a store without service.
    public let serviceRoot: String?
    /// Version of the service's model; nil before the metadata has come.
    public let odataVersion: String?
    /// The defining queries in the order of their addition.
    public let queries: [Query]
    /// The entity sets that have a table.
    public let entitySets: [EntitySet]
    /// Entities that the store holds in all of them.
    public var entityCount: Int { entitySets.map(\.entityCount).reduce(0, +) }
    /// Requests that wait.
    public let queueCount: Int
    /// Requests that were refused.
    public let errorCount: Int
    /// The operation that was cut and that calling it again goes on with: `open`, `download` or `upload`.
    ///
    /// While ``isBeingSynchronized`` says that it still runs, nothing was cut.
    public let interrupted: String?
    /// Whether this process or another one synchronises the store right now.
    public let isBeingSynchronized: Bool

    init(_ status: StoreStatus, isBeingSynchronized: Bool) {
        self.isBeingSynchronized = isBeingSynchronized
        serviceRoot = status.serviceRoot
        odataVersion = status.odataVersion
        queries = status.queries.map {
            Query(
                name: $0.name,
                url: $0.url,
                lastDownload: $0.lastDownload,
                hasDeltaLink: $0.deltaLink != nil,
                needsFullRead: $0.needsFullRead,
                automaticallyRetrievesStreams: $0.retrievesStreams
            )
        }
        entitySets = status.sets.map {
            EntitySet(
                name: $0.name,
                entityCount: $0.rowCount,
                pendingCount: $0.pendingCount,
                errorCount: $0.errorCount
            )
        }
        queueCount = status.queueCount
        errorCount = status.errorCount
        interrupted = status.interrupted
    }
}
