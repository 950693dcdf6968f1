import ODataProtocol

/// How a download behaves.
struct DownloadSettings: Sendable {
    /// Page size that the service is asked for.
    var preferredPageSize: Int?
    /// Size of the pages that are cut here.
    var clientDrivenPageSize: Int?
    /// Queries that are loaded at the same time, at most.
    var parallelQueryCount = 1
    /// Whether a download goes on with what an earlier one has brought before it was cut.
    var continuesTransfers = true
    /// Whether keys are compared in full where a service of version 1 to 3 has never told a deletion.
    var comparesKeys = true
    /// What is taken of pages.
    var payloadLimits = PayloadLimits()
    /// Pages of one query, at most.
    var maximumPageCount = 1_000_000
    /// Pages without entities in a row, at most.
    var maximumEmptyPageCount = 1_000
}
