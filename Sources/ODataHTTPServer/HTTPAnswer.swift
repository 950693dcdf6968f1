public import ODataHTTP

/// What a listener does with a request: an answer, or one of the ways in which a network fails.
public enum HTTPAnswer: Sendable {
    /// The whole response.
    case response(HTTPResponse)
    /// Nothing; the connection is closed.
    case dropConnection
    /// The head with the length of the whole body, the first bytes of the body, then the end of the connection.
    case truncatedBody(HTTPResponse, bytes: Int)
    /// These bytes instead of an HTTP response, then the end of the connection.
    case rawBytes([UInt8])
}

/// Answers requests like an ``HTTPHandler``, and can also fail as a network does.
public protocol HTTPAnswering: Sendable {
    /// Returns what the listener does with a request whose body has come as a whole.
    func answer(to request: HTTPRequest) async -> HTTPAnswer
    /// Whether a request is answered without the listener's token: for what holds no data, such as the page that asks for the token.
    func needsNoToken(_ head: HTTPRequest) -> Bool
}

extension HTTPAnswering {
    /// Demands the token of every request.
    public func needsNoToken(_ head: HTTPRequest) -> Bool { false }
}

/// A handler that never fails on purpose.
struct PlainAnswering: HTTPAnswering {
    let handler: any HTTPHandler

    func answer(to request: HTTPRequest) async -> HTTPAnswer {
        .response(await handler.respond(to: request))
    }
}
