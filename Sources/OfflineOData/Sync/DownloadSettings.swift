/// How a download behaves.
struct DownloadSettings: Sendable {
    /// Page size that the service is asked for.
    var preferredPageSize: Int?
    /// Queries that are loaded at the same time, at most.
    var parallelQueryCount = 1
}
