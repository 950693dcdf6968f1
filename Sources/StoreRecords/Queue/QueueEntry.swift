/// A local change that waits to be sent, or was refused.
package struct QueueEntry: Sendable {
    /// Where a request stands.
    package enum Status: String, Sendable, CaseIterable {
        case pending = "pending"
        /// Bytes are leaving, or left and the answer is not known.
        case sending = "sending"
        /// Refused; it stands in the error archive.
        case failed = "failed"
        /// Waits for a failed request that it depends on.
        case parked = "parked"
        /// The answer was lost, and whether the request took effect could not be found out.
        case unknownOutcome = "unknownOutcome"
    }

    /// Settings of a request, as bits in the file.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        /// The created entity goes away after its upload.
        package static let removeAfterUpload = Flags(rawValue: 1)
        /// Later changes must not be merged into it.
        package static let unmodifiable = Flags(rawValue: 2)
        /// The request creates the entity where the service does not have it: it carries no `If-Match`.
        package static let upsert = Flags(rawValue: 4)
        /// The request calls an action or a function.
        package static let operation = Flags(rawValue: 8)
        /// The request inserted the row that it is about, which no effect says besides: a creation writes as little as it can.
        package static let insertsOwnRow = Flags(rawValue: 16)
        /// The request was sent with its identity (`Repeatability-Request-ID`): it may be sent again under it, and under no other.
        package static let identified = Flags(rawValue: 32)
        /// It was sent in a batch.
        package static let inBatch = Flags(rawValue: 64)
        /// It was sent in a change set.
        package static let inChangeSet = Flags(rawValue: 128)
        /// Its answer was lost, and the service did not show its effect when it was asked: it may come about all the same.
        package static let hasLostAnswer = Flags(rawValue: 256)

        /// What says how the request was sent.
        static let sending: Flags = [.identified, .inBatch, .inChangeSet]
    }

    /// Increasing number, never used again.
    package var id: Int64
    package var status: Status
    package var method: String
    /// Relative to the service root; created entities by their local id.
    package var url: String
    /// OData 4.0 JSON; nil where there is none.
    package var body: String?
    /// Name of the source and row of the entity that the request changes.
    package var source: String?
    package var row: Int64?
    /// Content that the request sends as its body: see `StreamTable`; nil for requests with a JSON body or none.
    package var stream: Int64?
    /// Name of the stream that the request changes, empty for the media stream of the entity; nil for other requests.
    package var streamProperty: String?
    /// ETag of the copy that the change was made on; of a stream the media ETag.
    package var etag: String?
    /// Texts of the application's own, by the columns that keep them (`QueueColumn.labels`).
    package var labels: [QueueColumn: String] = [:]
    package var category: String?
    package var transaction: String?
    /// Header fields of its own, a line each.
    package var headers: String?
    package var flags: Flags
    /// Requests that it waits for.
    package var dependsOn: [Int64]
    /// Identity of the sending (`Repeatability-Request-ID`), once it was sent.
    package var unit: String?
    /// When it was first sent (`Repeatability-First-Sent`).
    package var firstSent: String?
    /// Why it was refused.
    package var failure: Failure?

    /// Whether the application has said itself on which condition the request is to be carried out.
    package var hasOwnCondition: Bool {
        (headers ?? "").split(separator: "\n").contains {
            $0.lowercased().hasPrefix("if-match:")
        }
    }

    package init(
        id: Int64,
        status: Status,
        method: String,
        url: String,
        body: String? = nil,
        source: String? = nil,
        row: Int64? = nil,
        stream: Int64? = nil,
        streamProperty: String? = nil,
        etag: String? = nil,
        labels: [QueueColumn: String] = [:],
        category: String? = nil,
        transaction: String? = nil,
        headers: String? = nil,
        flags: Flags,
        dependsOn: [Int64],
        unit: String? = nil,
        firstSent: String? = nil,
        failure: Failure? = nil
    ) {
        self.id = id
        self.status = status
        self.method = method
        self.url = url
        self.body = body
        self.source = source
        self.row = row
        self.stream = stream
        self.streamProperty = streamProperty
        self.etag = etag
        self.labels = labels
        self.category = category
        self.transaction = transaction
        self.headers = headers
        self.flags = flags
        self.dependsOn = dependsOn
        self.unit = unit
        self.firstSent = firstSent
        self.failure = failure
    }

    /// What the service answered to a refused request.
    package struct Failure: Sendable, Equatable {
        package var httpStatus: Int
        package var code: String
        package var message: String
        package var innerError: String?
        /// The whole answer's body.
        package var answer: String?

        package init(
            httpStatus: Int,
            code: String,
            message: String,
            innerError: String? = nil,
            answer: String? = nil
        ) {
            self.httpStatus = httpStatus
            self.code = code
            self.message = message
            self.innerError = innerError
            self.answer = answer
        }
    }
}
