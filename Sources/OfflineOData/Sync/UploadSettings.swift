import ODataHTTP

/// How an upload behaves.
struct UploadSettings: Sendable {
    /// At most so many requests in one batch.
    var batchSize: Int
    /// At most so many bytes of bodies in one batch.
    var batchBytes = Int.max
    /// At most so many batches at the service at the same time.
    var parallelBatchCount = 6
    /// Whether a request whose answer was lost may be sent again under its id.
    var isRepeatable: Bool
    /// Whether methods that gateways do not know are sent as POST with `X-HTTP-Method`.
    var tunnelsMethods = false
    /// How several requests are sent as one.
    var batchFormat = BatchFormat.multipart
    /// Whether values that the service computed are taken from the answers.
    var appliesResponses = false
    /// How long a cancelled upload still listens for the answer to what has been sent.
    var gracePeriod: Duration = .seconds(3)
    /// Whether answers are kept until they are carried into the store, so that a later process need not ask for them.
    var spoolsAnswers = true
    /// Carries requests while this process may end; nil where they are sent by the transport.
    var background: (any BackgroundUploadSession)?
    /// What is taken of the answers to batches.
    var batchLimits = BatchLimits()
}
