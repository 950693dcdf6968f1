/// Answers HTTP requests, wherever they come from: a listener, a batch or the same process.
public protocol HTTPHandler: Sendable {
    /// Returns the answer to a request whose body has come as a whole.
    func respond(to request: HTTPRequest) async -> HTTPResponse
}
