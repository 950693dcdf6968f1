import OfflineValues

/// The progress of an opening or an upload, as the reference engine calls it.
public typealias OfflineODataProviderOperationProgress = OfflineODataProgress
/// The progress of a download, as the reference engine calls it.
public typealias OfflineODataProviderDownloadProgress = OfflineODataProgress

/// The progress of the download of a store's file, as the reference engine calls it; stores are filled by defining queries here, so that
/// no such progress exists.
public typealias OfflineODataFileDownloadProgress = OfflineODataProgress

/// Names of the reference engine.
extension OfflineODataProgress {
    /// The same as ``operationID``.
    public var operationId: String { operationID }
    /// The same as ``stepNumber``.
    public var currentStepNumber: Int { stepNumber }
    /// The same as ``stepCount``.
    public var totalNumberOfSteps: Int { stepCount }
    /// The same as ``receivedByteCount``.
    public var bytesReceived: Int { receivedByteCount }
    /// The same as ``sentByteCount``.
    public var bytesSent: Int { sentByteCount }
}
