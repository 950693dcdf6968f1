package import ODataHTTP

/// Answers that come later: the service accepts a request (202) and names a status monitor (OData 4.01 Part 1 § 11.6).
extension ServiceClient {
    /// Waits for the answer of a read that the service works at; any other answer is returned as it is.
    ///
    /// - Throws: ``OfflineODataError`` where the result does not come, or only after a longer time than the retry policy allows, or where
    ///   the monitor itself fails.
    func awaited(_ first: HTTPStreamingResponse, of absolute: String) async throws
        -> HTTPStreamingResponse
    {
        var response = first
        var target = absolute
        var monitor = StatusMonitor(settings.retry)
        while response.status == 202, let location = response.headers["Location"] {
            // What the monitor says in its body is of no use.
            _ = try? await response.body.collect(upTo: maximumBodySize)
            target = try url.resolve(location, against: target)
            try await monitor.wait(retryAfter: response.headers["Retry-After"])
            response = try await repeating(request("GET", absolute: target, headers: [:]))
        }
        return target == absolute ? first : try await result(response)
    }

    /// The answer inside of the monitor's: its status in `AsyncResult`, or a whole message as `application/http`.
    private func result(_ response: HTTPStreamingResponse) async throws
        -> HTTPStreamingResponse
    {
        let isMessage = AsynchronousResult.isMessage(response.headers)
        let known = HTTPResponse(status: response.status, headers: response.headers)
        let inner = try Self.result(isMessage ? await whole(response) : known)
        var result = response
        (result.status, result.headers) = (inner.status, inner.headers)
        if isMessage { result.body = HTTPBody(inner.body) }
        return result
    }

    /// Waits for the answer of a request that the service works at (202 with `Location`).
    ///
    /// Where the monitor itself fails, nothing is known about the request. Each question has attempts of its own: an answer in between
    /// says that the service is there, and how many questions there may be is bounded by itself.
    func finished(
        _ response: HTTPResponse,
        of absolute: String,
        accepted: @Sendable (String) async throws -> Void
    ) async throws -> HTTPResponse {
        var response = response
        var target = absolute
        var monitor = StatusMonitor(settings.retry)
        var isAccepted = false
        while let location = response.monitor {
            isAccepted = true
            target = try url.resolve(location, against: target)
            try await accepted(target)
            try await monitor.wait(retryAfter: response.headers["Retry-After"])
            response = try await monitored(target)
        }
        return isAccepted ? try Self.result(response) : response
    }

    /// Asks for the answer of a request that the service had accepted before; nil where its monitor is gone.
    package func result(ofMonitor location: String) async throws -> HTTPResponse? {
        let response = try await monitored(url.resolve(location, against: url.root))
        let isGone = [404, 410].contains(response.status)
        guard response.headers["AsyncResult"] != nil || !isGone else { return nil }
        guard response.monitor == nil else {
            return try await finished(response, of: location) { _ in }
        }
        return try Self.result(response)
    }

    private func monitored(_ target: String) async throws -> HTTPResponse {
        do {
            return try await whole(repeating(request("GET", absolute: target, headers: [:])))
        } catch let error as HTTPTransportError where error.isCertainlyUnsent {
            // The question was not sent; the request itself was.
            throw HTTPTransportError(.connectionLost, "\(error)")
        }
    }

    /// The answer that a monitor gives.
    private static func result(_ response: HTTPResponse) throws -> HTTPResponse {
        guard response.isSuccess || response.headers["AsyncResult"] != nil else {
            throw StatusMonitor.failure(response)
        }
        return AsynchronousResult.unwrapped(response)
    }
}

extension HTTPResponse {
    /// Where the result of a request is to be had that the service works at; a batch that is answered with 202 is finished.
    var monitor: String? {
        guard status == 202, headers["Content-Type"]?.hasPrefix("multipart/") != true else {
            return nil
        }
        return headers["Location"]
    }
}
