import ODataProtocol

/// The answer of a request that was carried out asynchronously, as a status monitor hands it out.
enum AsynchronousResult {
    /// Returns the answer inside of the monitor's.
    ///
    /// Version 4.0 wraps it as `application/http`; 4.01 gives its status in `AsyncResult` and its body as it is
    /// (OData 4.01 Part 1 § 8.3.1, § 11.6).
    static func unwrapped(_ response: HTTPResponse) -> HTTPResponse {
        // Where a service states both, the body says how it is to be read.
        if response.headers["Content-Type"]?.lowercased().hasPrefix("application/http") == true,
            let inner = try? HTTPResponse(message: response.body)
        {
            return inner
        }
        guard let status = response.headers["AsyncResult"].flatMap({ Int($0) }) else {
            return response
        }
        var inner = response
        inner.status = status
        return inner
    }
}
