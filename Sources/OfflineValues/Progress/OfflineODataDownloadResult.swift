/// What a download did, query by query.
public struct OfflineODataDownloadResult: Sendable, Hashable {
    /// The result of one defining query.
    public struct Query: Sendable, Hashable {
        /// Name of the defining query.
        public var name: String
        /// Where it was asked, as an absolute URL.
        public var url: String
        /// Entities that are new in the store.
        public var insertedCount = 0
        /// Entities that have changed.
        public var updatedCount = 0
        /// Entities that are in the store no more.
        public var removedCount = 0
        /// Links that were made or ended, those of new entities among them.
        ///
        /// Where a foreign key is the link, its entity has changed.
        public var linkCount = 0
        /// Entities that were changed here and at the service.
        public var conflictCount = 0
        /// Warnings, such as that many entities were removed without the service reporting their deletion.
        public var remarks: [String] = []
        /// Why nothing of it was taken over; nil where it was.
        public var error: OfflineODataError?

        /// Creates the result of a query that has brought nothing.
        public init(name: String, url: String) {
            self.name = name
            self.url = url
        }

        /// Adds what a later load of the same query did.
        package mutating func add(_ other: Query) {
            insertedCount += other.insertedCount
            updatedCount += other.updatedCount
            removedCount += other.removedCount
            linkCount += other.linkCount
            conflictCount += other.conflictCount
            remarks += other.remarks.filter { !remarks.contains($0) }
            error = other.error
        }
    }

    /// The queries in the order of their addition.
    public var queries: [Query] = []
    /// HTTP requests that were sent, those for metadata and streams included.
    public var requestCount = 0
    /// How long it took.
    public var duration: Duration = .zero

    /// Creates the result of a download of no query.
    public init() {}

    /// Entities that are new in the store.
    public var insertedCount: Int { queries.map(\.insertedCount).reduce(0, +) }
    /// Entities that have changed.
    public var updatedCount: Int { queries.map(\.updatedCount).reduce(0, +) }
    /// Entities that are in the store no more.
    public var removedCount: Int { queries.map(\.removedCount).reduce(0, +) }
    /// Links that were made or ended, those of new entities among them.
    public var linkCount: Int { queries.map(\.linkCount).reduce(0, +) }
    /// Entities that were changed here and at the service.
    public var conflictCount: Int { queries.map(\.conflictCount).reduce(0, +) }

    /// The error that names each query that failed; nil where none did.
    package var failure: OfflineODataError? {
        let failed = queries.filter { $0.error != nil }
        guard let first = failed.first, let error = first.error else { return nil }
        let reasons = failed.map {
            "the query \($0.name) (\($0.url)) failed: \($0.error?.message ?? "")"
        }
        let isCut = failed.contains { $0.error?.category == .communication }
        var failure = OfflineODataError(
            isCut ? .communication : error.category,
            failed.count == 1 ? reasons[0] : message(of: failed),
            details: failed.count == 1 ? error.details : reasons,
            httpStatus: failed.count == 1 ? error.httpStatus : nil,
            cause: error,
            code: failed.count == 1 ? error.code : nil,
            place: failed.count == 1 ? error.place : nil
        )
        failure.retryAfter = failed.compactMap { $0.error?.retryAfter }.max()
        failure.download = self
        return failure
    }

    /// The error of a download that was cancelled when this was visible already.
    package var cancellation: OfflineODataError {
        var error = OfflineODataError(
            .cancelled,
            "cancelled when what has changed was taken over already; what was left out comes with the next download"
        )
        error.download = self
        return error
    }

    /// What became of all queries where several failed; the reason where they have the same one.
    private func message(of failed: [Query]) -> String {
        guard failed.count == queries.count else {
            return "\(failed.count) of \(queries.count) queries failed; the others were applied"
        }
        let reasons = Set(failed.compactMap(\.error?.message))
        let reason = reasons.count == 1 ? reasons.first.map { ": " + $0 } : nil
        return "all \(queries.count) queries failed" + (reason ?? "")
    }

    /// The result in words, for the event log.
    package var summary: String {
        let counts =
            "\(insertedCount) new, \(updatedCount) changed, \(removedCount) removed, \(conflictCount) in conflict"
        return ([counts] + notes).joined(separator: "; ")
    }

    /// Warnings, query by query.
    package var notes: [String] {
        queries.flatMap { query in
            let failure = query.error.map { "\(query.name) (\(query.url)) failed: \($0.message)" }
            return query.remarks.map { "\(query.name): \($0)" } + [failure].compactMap { $0 }
        }
    }
}
