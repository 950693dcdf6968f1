public import ODataProtocol

/// What a local change says about its upload; copied when the change is made.
public final class OfflineODataRequestOptions {
    /// Whether the created entity is removed from the store once it is uploaded with everything that refers to it.
    public var removeCreatedEntityAfterUpload = false
    /// Whether no later change may be merged into the request.
    public var unmodifiableRequest = false
    /// Requests of one transaction take effect together or not at all.
    public var transactionID: String?
    /// Requests of a category can be uploaded by themselves.
    public var uploadCategory: String?
    /// A word of the application's own, told in the queue and the error archive.
    public var customTag: String?
    /// Header fields of the request.
    public var customHeaders: HTTPHeaders = [:]

    /// Creates options that ask for nothing special.
    public init() {}
}
