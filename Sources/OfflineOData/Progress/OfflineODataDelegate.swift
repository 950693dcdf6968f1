/// Hears how synchronisation goes; every callback has a default that does nothing.
public protocol OfflineODataDelegate: AnyObject, Sendable {
    /// The first opening has come further.
    func offlineODataProvider(didUpdateOpenProgress progress: OfflineODataProgress)
    /// A download has come further.
    func offlineODataProvider(didUpdateDownloadProgress progress: OfflineODataProgress)
    /// An upload has come further.
    func offlineODataProvider(didUpdateUploadProgress progress: OfflineODataProgress)
    /// The service refused a request; called once for each, which then stands in the error archive.
    func offlineODataProvider(requestDidFail request: OfflineODataFailedRequest)
}

extension OfflineODataDelegate {
    /// Does nothing.
    public func offlineODataProvider(didUpdateOpenProgress progress: OfflineODataProgress) {}
    /// Does nothing.
    public func offlineODataProvider(didUpdateDownloadProgress progress: OfflineODataProgress) {}
    /// Does nothing.
    public func offlineODataProvider(didUpdateUploadProgress progress: OfflineODataProgress) {}
    /// Does nothing.
    public func offlineODataProvider(requestDidFail request: OfflineODataFailedRequest) {}
}

/// A request that the service refused.
public struct OfflineODataFailedRequest: Sendable {
    /// Its number in queue and archive.
    public var requestID: Int64
    /// Its method.
    public var method: String
    /// Its URL relative to the service root.
    public var url: String
    /// Status of the answer.
    public var httpStatus: Int
    /// Code of the service's error.
    public var code: String
    /// Message of the service's error.
    public var message: String
    /// The application's own word.
    public var customTag: String?
}
