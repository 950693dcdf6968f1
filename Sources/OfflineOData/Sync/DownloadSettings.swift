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
}
