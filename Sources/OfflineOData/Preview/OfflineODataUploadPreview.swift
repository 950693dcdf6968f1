import OfflineValues
public import ODataHTTP

/// What an upload would send, made by the code that makes the requests of an upload; nothing was sent and nothing has changed.
public struct OfflineODataUploadPreview: Sendable {
    /// A request as it would leave, without credentials.
    ///
    /// Ids and times of repeatable requests, and the boundaries of batches, are made when a request is sent, so they differ each time.
    public struct Request: Sendable {
        /// Method, absolute URL, header fields and body; of a stream the body is ``HTTPRequest/streamedBody``.
        public let message: HTTPRequest
        /// Numbers of the requests of the queue that it carries, in their order.
        public let requestIDs: [Int64]
        /// Whether it is a batch.
        public let isBatch: Bool
        /// Whether ETags are read from the service before it is sent; their conditions are missing here.
        public let readsETagsFirst: Bool
    }

    /// A request that cannot be made before the service has answered others.
    public struct Waiting: Sendable, Hashable, Identifiable {
        /// Number of the request.
        public let id: Int64
        /// Numbers of the requests that it waits for; empty where it waits for something else, such as another upload category.
        public let waitsFor: [Int64]
    }

    /// What would be sent without waiting for an answer, in order.
    public let requests: [Request]
    /// Requests that stay in the queue until others are answered.
    public let waiting: [Waiting]
    /// Requests of which an earlier upload got no answer: an upload first asks the service what became of them.
    public let unsettledIDs: [Int64]
    /// Requests that an upload would refuse by itself, and why.
    public let refused: [OfflineODataFailedRequest]
}
