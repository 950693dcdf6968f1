import ODataProtocol

/// Reads that the service answers later (202 with `Location`, OData 4.01 Part 1 § 11.6).
extension ServiceClient {
    /// A status monitor is asked this often at most.
    static let mostMonitorRequests = 400

    /// Waits for the answer of a read that the service works at; any other answer is returned as it is.
    ///
    /// - Throws: ``OfflineODataError`` where the result does not come, or only after a longer time than the retry policy allows.
    func awaited(_ first: HTTPStreamingResponse, of absolute: String) async throws
        -> HTTPStreamingResponse
    {
        guard first.status == 202, first.headers["Location"] != nil else { return first }
        var response = first
        var target = absolute
        for attempt in 1...Self.mostMonitorRequests {
            guard response.status == 202, let location = response.headers["Location"] else {
                return try await result(response)
            }
            // What the monitor says in its body is of no use.
            _ = try? await response.body.collect(upTo: maximumBodySize)
            target = try url.resolve(location, against: target)
            try await settings.retry.sleep(monitorDelay(response, attempt))
            response = try await repeating(request("GET", target, headers: [:]))
        }
        throw OfflineODataError(
            .communication,
            "the service was asked \(Self.mostMonitorRequests) times for a result that it works at: call again later",
            httpStatus: 202
        )
    }

    /// The time before the next request; a longer one than the policy allows is an error.
    private func monitorDelay(_ response: HTTPStreamingResponse, _ attempt: Int) throws -> Duration
    {
        let usual = Duration.milliseconds(min(10_000, 250 * attempt))
        guard let asked = response.headers["Retry-After"].flatMap(RetryAfter.init) else {
            return usual
        }
        let delay = asked.delay(from: HTTPDate.now)
        guard delay <= settings.retry.maximumRetryAfter else {
            throw OfflineODataError(
                .communication,
                "the service asks to come back later for a result than maximumRetryAfter allows",
                httpStatus: 202
            )
        }
        return max(delay, min(usual, .seconds(1)))
    }

    /// The answer inside of the monitor's: its status in `AsyncResult`, or a whole message as `application/http`.
    private func result(_ response: HTTPStreamingResponse) async throws
        -> HTTPStreamingResponse
    {
        guard AsynchronousResult.isMessage(response.headers) else {
            var result = response
            result.status = AsynchronousResult.status(response.headers) ?? response.status
            return result
        }
        let inner = AsynchronousResult.unwrapped(
            HTTPResponse(
                status: response.status,
                headers: response.headers,
                body: try await response.body.collect(upTo: maximumBodySize)
            )
        )
        return HTTPStreamingResponse(
            status: inner.status,
            headers: inner.headers,
            body: HTTPBody(inner.body)
        )
    }
}
