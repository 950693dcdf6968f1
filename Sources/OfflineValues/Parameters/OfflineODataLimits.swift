public import ODataModel
public import ODataURL
public import ODataPayload
public import ODataHTTP

/// How much services, and requests to the store, may ask of this engine.
public struct OfflineODataLimits: Sendable, Hashable {
    /// URLs of requests to the store.
    public var url = URLLimits()
    /// Pages of a download: depth, size of one entity, members, entities.
    public var payload = PayloadLimits()
    /// Answers to batches, and batches that the store answers.
    public var batch = BatchLimits()
    /// Metadata documents that the service gives.
    public var metadata = CSDLLimits()
    /// Bytes of an answer that is held in memory: metadata, answers to changes, single entities.
    public var bodyBytes = 256 * 1024 * 1024
    /// Pages of one defining query: a service whose next links never end is followed no further.
    public var pageCount = 1_000_000
    /// Pages without entities in a row.
    public var emptyPageCount = 1_000

    /// Creates limits with the defaults.
    public init() {}
}
