import ODataPayload
import OfflineStore

/// How a download behaves.
struct DownloadSettings: Sendable {
    /// Page size that the service is asked for.
    var preferredPageSize: Int?
    /// Size of the pages that are cut here.
    var clientDrivenPageSize: Int?
    /// Queries that are loaded at the same time, at most.
    var parallelQueryCount = 6
    /// Whether a download goes on with what an earlier one has brought before it was cut.
    var continuesTransfers = true
    /// Whether keys are compared in full where a service of version 1 to 3 has never reported a deletion.
    var comparesKeys = true
    /// What is taken of pages.
    var payloadLimits = PayloadLimits()
    /// Pages of one query, at most.
    var maximumPageCount = 1_000_000
    /// Pages without entities in a row, at most.
    var maximumEmptyPageCount = 1_000

    /// Requests at the same time where all ask for changes alone, since each answer is small then.
    private static let parallelChangeCount = 16

    /// Whether one request goes out after the other.
    var isSequential: Bool { parallelQueryCount == 1 }

    /// How many of the queries are asked for at the same time.
    func requestsAtOnce(for tasks: [DownloadWork.Task]) -> Int {
        let asksForChanges = tasks.allSatisfy { $0.isDelta || $0.query.etag != nil }
        guard !isSequential, asksForChanges else { return parallelQueryCount }
        return max(parallelQueryCount, Self.parallelChangeCount)
    }
}
