import StoreDownload
import StoreRecords
package import ODataPayload

/// How a download behaves.
package struct DownloadSettings: Sendable {
    /// Page size that the service is asked for.
    package var preferredPageSize: Int?
    /// Size of the pages that are cut here.
    package var clientDrivenPageSize: Int?
    /// Queries that are loaded at the same time, at most.
    package var parallelQueryCount = 32
    /// Whether a download goes on with what an earlier one has brought before it was cut.
    package var continuesTransfers = true
    /// Whether keys are compared in full where a service of version 1 to 3 has never reported a deletion.
    package var comparesKeys = true
    /// What is taken of pages.
    package var payloadLimits = PayloadLimits()
    /// Pages of one query, at most.
    package var maximumPageCount: Int = 1_000_000
    /// Pages without entities in a row, at most.
    package var maximumEmptyPageCount: Int = 1_000

    package init(
        preferredPageSize: Int? = nil,
        clientDrivenPageSize: Int? = nil,
        parallelQueryCount: Int = 32,
        continuesTransfers: Bool = true,
        comparesKeys: Bool = true,
        payloadLimits: PayloadLimits = PayloadLimits(),
        maximumPageCount: Int = 1_000_000,
        maximumEmptyPageCount: Int = 1_000
    ) {
        self.preferredPageSize = preferredPageSize
        self.clientDrivenPageSize = clientDrivenPageSize
        self.parallelQueryCount = parallelQueryCount
        self.continuesTransfers = continuesTransfers
        self.comparesKeys = comparesKeys
        self.payloadLimits = payloadLimits
        self.maximumPageCount = maximumPageCount
        self.maximumEmptyPageCount = maximumEmptyPageCount
    }

    /// Streams at the same time, at most: a stream takes as long as its bytes, and not as long as the way.
    private static let parallelStreamCount = 6

    /// Whether one request goes out after the other.
    var isSequential: Bool { parallelQueryCount == 1 }

    /// How many streams are asked for at the same time.
    var streamsAtOnce: Int { min(parallelQueryCount, Self.parallelStreamCount) }
}
