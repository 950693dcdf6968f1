import ODataSQL

/// How far an opening, a download or an upload has come.
public struct OfflineODataProgress: Sendable, Hashable {
    /// What is being done.
    public enum Operation: String, Sendable {
        /// Opening the store, with its first load.
        case open
        /// Downloading what has changed at the service.
        case download
        /// Uploading the request queue.
        case upload
        /// Sending a copy of the store to the service.
        case sendStore
    }

    /// A part of an operation.
    public enum Step: String, Sendable {
        /// Reading the service's metadata.
        case loadingMetadata
        /// Adapting the store to a changed model.
        case upgradingSchema
        /// Receiving pages of the defining queries.
        case receivingData
        /// Building the indexes of a first load.
        case buildingIndexes
        /// Merging what was received with what the store holds.
        case mergingData
        /// Receiving media streams.
        case receivingStreams
        /// Sending requests of the queue.
        case sendingRequests
        /// Recording the answers to requests.
        case processingAnswers
        /// Copying the store.
        case copyingStore
        /// Sending the copy.
        case sendingStore
        /// Everything is done.
        case finished
    }

    /// Identifies this operation.
    public let operationID: String
    /// What is being done.
    public var operation: Operation
    /// The part that runs now.
    public var step: Step
    /// Name of the defining query that is being loaded.
    public var query: String?
    /// Number of that query, 1-based, and of all.
    public var queryNumber = 0
    /// Number of queries in all.
    public var queryCount = 0
    /// Bytes received so far in this operation.
    public var receivedByteCount = 0
    /// Entities received so far in this operation.
    public var receivedEntityCount = 0
    /// Requests answered so far.
    public var answeredRequestCount = 0
    /// Requests that the operation began with.
    public var requestCount = 0
    /// Bytes of the store's copy sent so far.
    public var sentByteCount = 0
    /// Bytes of the store's copy.
    public var storeByteCount = 0

    /// Creates a progress.
    public init(operation: Operation, step: Step) {
        operationID = LocalID().uuidText
        self.operation = operation
        self.step = step
    }

    /// The steps of an operation in their order; a step may be left out where there is nothing to do.
    private static let downloadSteps: [Step] = [
        .loadingMetadata, .upgradingSchema, .receivingData, .buildingIndexes, .mergingData,
        .receivingStreams, .finished,
    ]
    private static let uploadSteps: [Step] = [.sendingRequests, .processingAnswers, .finished]

    private static let sendStoreSteps: [Step] = [.copyingStore, .sendingStore, .finished]

    private var steps: [Step] {
        switch operation {
        case .open, .download: Self.downloadSteps
        case .upload: Self.uploadSteps
        case .sendStore: Self.sendStoreSteps
        }
    }

    /// Creates the progress of an operation that begins.
    package init(operation: Operation) {
        self.init(
            operation: operation,
            step: operation == .sendStore ? .copyingStore : .loadingMetadata
        )
    }

    /// Number of the step that runs now, 1-based.
    public var stepNumber: Int { (steps.firstIndex(of: step) ?? 0) + 1 }

    /// Number of steps that the operation has.
    public var stepCount: Int { steps.count }
}
