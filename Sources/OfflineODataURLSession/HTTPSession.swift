import ODataHTTP
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// A `URLSession` and the transfers that it carries.
///
/// The session holds its delegate until it is invalidated, which happens when this object is released.
final class HTTPSession: Sendable {
    private let session: URLSession
    private let delegate: SessionDelegate

    /// Time that is never reached, in seconds: a year.
    static let endless: TimeInterval = 31_536_000

    init(_ settings: URLSessionTransportSettings) throws(HTTPTransportError) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = max(1, settings.maximumConnections)
        configuration.timeoutIntervalForRequest = Self.endless
        configuration.timeoutIntervalForResource = Self.endless
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // What a store needs of these it keeps itself, and credentials must not be offered to other servers.
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        delegate = try SessionDelegate(settings)
        session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: queue
        )
    }

    deinit { session.finishTasksAndInvalidate() }

    func start(_ message: URLRequest, transfer: SessionTransfer) {
        let task = session.dataTask(with: message)
        delegate.add(transfer, for: task)
        transfer.start(task)
    }
}
