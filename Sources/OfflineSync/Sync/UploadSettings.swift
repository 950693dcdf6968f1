package import ODataHTTP

/// How an upload behaves.
package struct UploadSettings: Sendable {
    /// At most so many requests in one batch.
    package var batchSize: Int
    /// At most so many bytes of bodies in one batch.
    package var batchBytes = Int.max
    /// At most so many batches at the service at the same time.
    package var parallelBatchCount = 6
    /// Whether a request whose answer was lost may be sent again under its id.
    package var isRepeatable: Bool
    /// Whether methods that gateways do not know are sent as POST with `X-HTTP-Method`.
    package var tunnelsMethods = false
    /// How several requests are sent as one.
    package var batchFormat = BatchFormat.multipart
    /// Whether values that the service computed are taken from the answers.
    package var appliesResponses = false
    /// How long a cancelled upload still listens for the answer to what has been sent.
    package var gracePeriod: Duration = .seconds(3)
    /// Whether answers are kept until they are carried into the store, so that a later process need not ask for them.
    package var spoolsAnswers = true
    /// Carries requests while this process may end; nil where they are sent by the transport.
    package var background: (any BackgroundUploadSession)?
    /// What is taken of the answers to batches.
    package var batchLimits = BatchLimits()

    package init(
        batchSize: Int,
        batchBytes: Int = Int.max,
        parallelBatchCount: Int = 6,
        isRepeatable: Bool,
        tunnelsMethods: Bool = false,
        batchFormat: BatchFormat = BatchFormat.multipart,
        appliesResponses: Bool = false,
        gracePeriod: Duration = .seconds(3),
        spoolsAnswers: Bool = true,
        background: (any BackgroundUploadSession)? = nil,
        batchLimits: BatchLimits = BatchLimits()
    ) {
        self.batchSize = batchSize
        self.batchBytes = batchBytes
        self.parallelBatchCount = parallelBatchCount
        self.isRepeatable = isRepeatable
        self.tunnelsMethods = tunnelsMethods
        self.batchFormat = batchFormat
        self.appliesResponses = appliesResponses
        self.gracePeriod = gracePeriod
        self.spoolsAnswers = spoolsAnswers
        self.background = background
        self.batchLimits = batchLimits
    }
}
