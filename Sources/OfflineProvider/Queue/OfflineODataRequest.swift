public import OfflineValues
package import StoreRecords
public import ODataHTTP

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A change that waits to be sent, or that the service refused.
///
/// Its labels (``OfflineODataRequestLabels``) are read by their names here.
@dynamicMemberLookup
public struct OfflineODataRequest: Sendable, Identifiable, Hashable {
    /// Where a request stands.
    public struct Status: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The status' name, as in the built-in entity sets.
        public let rawValue: String

        /// Creates a status from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The status' name.
        public var description: String { rawValue }

        /// It waits to be sent.
        public static let pending = Status(rawValue: "pending")
        /// It is on its way, or was when the connection broke.
        public static let sending = Status(rawValue: "sending")
        /// The service refused it; it stands in the error archive.
        public static let failed = Status(rawValue: "failed")
        /// It waits for a refused request that it depends on.
        public static let parked = Status(rawValue: "parked")
        /// The answer was lost, and whether the request took effect could not be found out.
        public static let unknownOutcome = Status(rawValue: "unknownOutcome")
    }

    /// What the service answered to a refused request.
    public struct Failure: Sendable, Hashable {
        /// Status of the answer.
        public let httpStatus: Int
        /// Code of the service's error.
        public let code: OfflineODataError.Code
        /// Message of the service's error.
        public let message: String
        /// What the service says beyond that, as JSON.
        public let innerError: String?
        /// The body of the whole answer.
        public let answer: String?
    }

    /// The request as the store has it.
    package let entry: QueueEntry

    package init(_ entry: QueueEntry) { self.entry = entry }

    /// Increasing number, never used again.
    public var id: Int64 { entry.id }
    /// Where the request stands.
    public var status: Status { Status(rawValue: entry.status.rawValue) }
    /// The method.
    public var method: String { entry.method }
    /// URL relative to the service root; entities that were created here stand in it by their local id.
    public var url: String { entry.url }
    /// The body as JSON of OData 4.0; nil where there is none.
    public var body: String? { entry.body }
    /// ETag of the version that the change was made on.
    public var etag: String? { entry.etag }
    /// The application's own labels; the service never sees them.
    public var labels: OfflineODataRequestLabels { OfflineODataRequestLabels(entry.labels) }
    /// The upload category.
    public var uploadCategory: String? { entry.category }
    /// The transaction that the request belongs to.
    public var transactionID: String? { entry.transaction }
    /// Header fields of the request's own; those with placeholders as they were written.
    public var customHeaders: HTTPHeaders {
        var headers = HTTPHeaders()
        for field in entry.headerFields { headers.add(field.name, field.value) }
        return headers
    }
    /// Whether the created entity goes once it is uploaded.
    public var isRemovedAfterUpload: Bool { entry.flags.contains(.removeAfterUpload) }
    /// Whether no later change is merged into it.
    public var isUnmodifiable: Bool { entry.flags.contains(.unmodifiable) }
    /// Whether it creates the entity where the service does not have it.
    public var isUpsert: Bool { entry.flags.contains(.upsert) }
    /// The entity set of the entity that it is about; nil for calls of operations.
    public var entitySet: String? { entry.source }
    /// Requests that it waits for.
    public var dependsOn: [Int64] { entry.dependsOn }
    /// When it was first sent, RFC 3339; nil before that.
    public var firstSent: String? { entry.firstSent }
    /// When it was first sent; nil before that.
    public var firstSentDate: Date? { entry.firstSent.flatMap { Date(stored: $0) } }
    /// What the service answered where it refused the request.
    ///
    /// Of a parked one it says why it waits, unless `dependsOn` does. Else nil.
    public var failure: Failure? {
        entry.failure.map {
            Failure(
                httpStatus: $0.httpStatus,
                code: OfflineODataError.Code(rawValue: $0.code),
                message: $0.message,
                innerError: $0.innerError,
                answer: $0.answer
            )
        }
    }

    /// Whether both are the same state of the same request.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.status == right.status && left.body == right.body
            && left.url == right.url && left.etag == right.etag && left.failure == right.failure
            && left.dependsOn == right.dependsOn
    }

    /// Reads a label.
    public subscript(dynamicMember label: KeyPath<OfflineODataRequestLabels, String?>) -> String? {
        labels[keyPath: label]
    }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What other modules of this package know of a request.
extension OfflineODataRequest {
    package var category: String? { entry.category }
    package var transaction: String? { entry.transaction }
    package var headers: String? { entry.headers }
    package var flags: QueueEntry.Flags { entry.flags }
    package var row: Int64? { entry.row }
    package var source: String? { entry.source }
    package var stream: Int64? { entry.stream }
    package var unit: String? { entry.unit }
}
