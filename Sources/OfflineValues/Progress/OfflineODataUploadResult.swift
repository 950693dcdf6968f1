/// What an upload did, and what it has left.
public struct OfflineODataUploadResult: Sendable, Hashable, Codable {
    /// Requests that the service carried out.
    public var succeededCount = 0
    /// Requests that it refused, and transactions that could not be sent as what they are; they stand in the error archive.
    public var failedCount = 0
    /// Requests whose outcome is not known; they stand in the queue until a person decides.
    public var unknownCount = 0
    /// Requests in the queue that wait for a refused one, or for the transaction of one.
    public var parkedCount = 0
    /// Requests in the queue that wait for something else: their category was not chosen, or the outcome of another is not known.
    public var waitingCount = 0
    /// HTTP requests that were sent, questions about lost answers included.
    public var requestCount = 0
    /// How long it took.
    public var duration: Duration = .zero
    /// The refused requests by their ids, in the order in which they were refused.
    public var refusedRequestIDs: [Int64] = []

    /// Creates the result of an upload that did nothing.
    public init() {}
}
