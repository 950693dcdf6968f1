/// A request that the service refused.
public struct OfflineODataFailedRequest: Sendable, Hashable, Identifiable {
    /// Its number in queue and archive.
    public var requestID: Int64
    /// Its method.
    public var method: String
    /// Its URL relative to the service root.
    public var url: String
    /// Status of the answer.
    public var httpStatus: Int
    /// Code of the service's error.
    public var code: OfflineODataError.Code
    /// Message of the service's error.
    public var message: String
    /// The application's own label; the service never sees it.
    public var customTag: String?

    package init(
        requestID: Int64,
        method: String,
        url: String,
        httpStatus: Int,
        code: OfflineODataError.Code,
        message: String,
        customTag: String? = nil
    ) {
        self.requestID = requestID
        self.method = method
        self.url = url
        self.httpStatus = httpStatus
        self.code = code
        self.message = message
        self.customTag = customTag
    }

    /// Its number in queue and archive.
    public var id: Int64 { requestID }
}
