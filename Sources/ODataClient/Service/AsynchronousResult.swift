import ODataHTTP

/// The answer of a request that was carried out asynchronously, as a status monitor hands it out.
enum AsynchronousResult {
    /// Returns the answer inside of the monitor's.
    ///
    /// Version 4.0 wraps it as `application/http`; 4.01 gives its status in `AsyncResult` and its body as it is
    /// (OData 4.01 Part 1 § 8.3.1, § 11.6).
    static func unwrapped(_ response: HTTPResponse) -> HTTPResponse {
        // Where a service states both, the body says how it is to be read.
        if isMessage(response.headers),
            let inner = try? HTTPResponse(message: response.body)
        {
            return inner
        }
        var inner = response
        inner.status = status(response.headers) ?? response.status
        return inner
    }

    /// Whether the body is the whole answer, head included.
    static func isMessage(_ headers: HTTPHeaders) -> Bool {
        headers["Content-Type"]?.lowercased().hasPrefix("application/http") == true
    }

    /// The answer's status where the body is the answer's.
    static func status(_ headers: HTTPHeaders) -> Int? {
        headers["AsyncResult"].flatMap { Int($0) }
    }
}
