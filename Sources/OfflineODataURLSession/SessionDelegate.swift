import ODataValues
import ODataHTTP
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// Passes the events of a session to the transfers concerned.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let transfers = Mutex<[Int: SessionTransfer]>([:])
    private let trust: SessionTrust

    init(_ settings: URLSessionTransportSettings) throws(HTTPTransportError) {
        trust = try SessionTrust(settings)
    }

    func add(_ transfer: SessionTransfer, for task: URLSessionTask) {
        transfers.guarded { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(of task: URLSessionTask) -> SessionTransfer? {
        transfers.guarded { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse, let transfer = transfer(of: dataTask)
        else { return completionHandler(.cancel) }
        transfer.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(of: task)?.noteSending()
    }

    #if !canImport(FoundationNetworking)
        /// Comes before the end of the task.
        ///
        /// Each attempt at the request is a transaction.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            let hasBegun = metrics.transactionMetrics.contains { $0.requestStartDate != nil }
            transfer(of: task)?.note(hasBegun: hasBegun)
        }
    #endif

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let transfer = transfers.guarded { $0.removeValue(forKey: task.taskIdentifier) }
        // Without a delegate's answer, as after a refused redirect, the head is delivered only at the end.
        if let response = task.response as? HTTPURLResponse { transfer?.receive(response) }
        transfer?.finish(error)
    }

    /// A redirect is an answer like others: who follows it decides whether it may go there.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// A body is sent once: where the session wants it a second time, it means to send the request again.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        task.cancel()
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        let (disposition, credential) = trust.answer(challenge)
        completionHandler(disposition, credential)
    }
}
