import OfflineValues
import ODataHTTP

/// When the service is asked next for the result of a request that it has accepted (OData 4.01 Part 1 § 11.6).
///
/// The number of questions and the time are bounded: a service that never comes to an end must not hold the store's lock for ever.
struct StatusMonitor {
    private let policy: OfflineODataRetryPolicy
    private let start: Duration
    private var waited: Duration = .zero
    private var count = 0

    init(_ policy: OfflineODataRetryPolicy) {
        self.policy = policy
        start = policy.clock()
    }

    /// Waits before the next question.
    ///
    /// - Parameter retryAfter: What the service said about it; nothing, or a time that is past, leaves the interval to the back-off.
    /// - Throws: ``OfflineODataError`` where the service has been asked often or long enough.
    mutating func wait(retryAfter: String?) async throws {
        count += 1
        let asked = retryAfter.flatMap(RetryAfter.init)?.delay(from: .now) ?? .zero
        let delay = asked > .zero ? asked : policy.backOff(after: count)
        let elapsed = max(policy.clock() - start, waited)
        guard count <= policy.maximumStatusRequests else {
            throw Self.unfinished("was asked \(count - 1) times")
        }
        guard elapsed + delay <= policy.maximumStatusTime else {
            throw Self.unfinished(
                asked > policy.maximumStatusTime
                    ? "wants to be asked again after \(asked)" : "has taken longer than \(elapsed)"
            )
        }
        waited += delay
        try await policy.sleep(delay)
    }

    private static func unfinished(_ reason: String) -> OfflineODataError {
        OfflineODataError(
            .communication,
            "the service accepted a request (202), \(reason) and has not finished it: call again later",
            httpStatus: 202
        )
    }

    /// The error where the monitor itself answers with a failure: that is no answer to the request, so its status is none either.
    static func failure(_ response: HTTPResponse) -> OfflineODataError {
        OfflineODataError(
            .communication,
            "the service accepted a request (202), and its status monitor answered \(response.status): call again later",
            httpStatus: 202
        )
    }
}
