/// How an upload behaves.
struct UploadSettings: Sendable {
    /// At most so many requests in one batch.
    var batchSize: Int
    /// Whether a request whose answer was lost may be sent again under its id.
    var isRepeatable: Bool
    /// How long a cancelled upload still listens for the answer to what has been sent.
    var gracePeriod: Duration = .seconds(3)
}

/// What an upload did.
public struct OfflineODataUploadResult: Sendable, Equatable {
    /// Requests that the service carried out.
    public var succeededCount = 0
    /// Requests that it refused; they stand in the error archive.
    public var failedCount = 0
    /// Requests whose outcome is not known; they stand in the queue until somebody decides.
    public var unknownCount = 0
}
