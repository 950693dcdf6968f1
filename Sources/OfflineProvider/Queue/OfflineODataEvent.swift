import OfflineValues
import StoreRecords

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that happened to a store.
public struct OfflineODataEvent: Sendable, Hashable, Codable, Identifiable {
    /// Increasing number.
    public let id: Int64
    /// Upload, Download, Open, Upgrade, Conflict, Queue (a decision about requests) and others.
    public let type: String
    /// The result, or the reason of the failure.
    public let details: String?
    /// Time in RFC 3339, UTC.
    public let time: String
    /// The time.
    public var date: Date? { Date(stored: time) }

    init(_ event: EventLog.Event) {
        id = event.id
        type = event.type
        details = event.details
        time = event.time
    }
}
