public import OfflineValues

/// Hears how synchronisation goes; every callback has a default that does nothing.
///
/// The callbacks come one after the other in the order of the events. An implementation may be asynchronous, an ordinary function,
/// or one of the main actor: the requirement is asynchronous so that each of them meets it. An asynchronous method of a class of the main
/// actor is marked `@MainActor` itself. One delegate can serve several providers.
///
/// A delegate is `Sendable`, which switches default isolation off: in a module whose default is the main actor, its class is marked
/// `@MainActor` all the same.
///
///     @MainActor @Observable final class Model: OfflineODataDelegate {
///         var text = ""
///         func offlineODataProvider(
///             _ provider: OfflineODataProvider,
///             requestDidFail request: OfflineODataFailedRequest
///         ) { text = request.message }
///     }
public protocol OfflineODataDelegate: AnyObject, Sendable {
    /// The first opening has come further.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateOpenProgress progress: OfflineODataProgress
    ) async
    /// A download has come further.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateDownloadProgress progress: OfflineODataProgress
    ) async
    /// An upload has come further.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateUploadProgress progress: OfflineODataProgress
    ) async
    /// Sending a copy of the store has made progress.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataProgress
    ) async
    /// The store is opened, or closed: from then on it stands somewhere else.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        stateDidChange newState: OfflineODataStoreState
    ) async
    /// The service refused a request; called once for each, which then stands in the error archive.
    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        requestDidFail request: OfflineODataFailedRequest
    ) async
}

extension OfflineODataDelegate {
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateOpenProgress progress: OfflineODataProgress
    ) async {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateDownloadProgress progress: OfflineODataProgress
    ) async {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateUploadProgress progress: OfflineODataProgress
    ) async {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataProgress
    ) async {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        stateDidChange newState: OfflineODataStoreState
    ) async {}
    /// Does nothing.
    public func offlineODataProvider(
        _ provider: OfflineODataProvider,
        requestDidFail request: OfflineODataFailedRequest
    ) async {}
}
