/// What an upload did.
public struct OfflineODataUploadResult: Sendable, Equatable {
    /// Requests that the service carried out.
    public var succeededCount = 0
    /// Requests that it refused; they stand in the error archive.
    public var failedCount = 0
    /// Requests whose outcome is not known; they stand in the queue until somebody decides.
    public var unknownCount = 0
}
