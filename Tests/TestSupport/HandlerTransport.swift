import ODataValues
public import ODataHTTP
import Synchronization

/// Carries requests to a handler in the same process, and writes down what was asked.
public final class HandlerTransport: HTTPTransport {
    private let handler: any HTTPHandler
    private let log = Mutex<[HTTPRequest]>([])
    private let fault = Mutex<(@Sendable (HTTPRequest) -> HTTPFault?)?>(nil)

    /// What happens to a request instead of an ordinary answer.
    public enum HTTPFault: Sendable {
        /// The request never reaches the service.
        case lostBefore
        /// The service carries it out, its answer is lost.
        case lostAfter
        /// Another answer than the service's, which has carried the request out.
        case answer(HTTPResponse)
        /// An answer in front of the service, which never sees the request.
        case instead(HTTPResponse)
        /// The service's answer with its body cut.
        case cut(bytes: Int)
    }

    /// Creates a transport to a handler.
    public init(_ handler: any HTTPHandler) {
        self.handler = handler
    }

    /// Decides about each request; nil lets it pass.
    public func setFault(_ decide: (@Sendable (HTTPRequest) -> HTTPFault?)?) {
        fault.guarded { $0 = decide }
    }

    /// Every request sent so far, as method and target.
    public var requests: [HTTPRequest] { log.guarded { $0 } }

    /// Sends a request to the handler.
    public func send(
        _ request: HTTPRequest,
        options: HTTPRequestOptions
    ) async throws -> HTTPStreamingResponse {
        try Task.checkCancellation()
        log.guarded { $0.append(request) }
        let fault = fault.guarded { $0 }?(request)
        if case .lostBefore = fault {
            throw HTTPTransportError(.notConnected, "the connection was refused")
        }
        if case .instead(let other) = fault {
            return HTTPStreamingResponse(
                status: other.status,
                headers: other.headers,
                body: HTTPBody(other.body)
            )
        }
        var response = await handler.respond(to: Self.local(request))
        switch fault {
        case .lostAfter: throw HTTPTransportError(.connectionLost, "the answer was lost")
        case .answer(let other): response = other
        case .instead: break
        case .cut(let bytes):
            let head = Array(response.body.prefix(bytes))
            let pieces = OnePieceThenError(head)
            return HTTPStreamingResponse(
                status: response.status,
                headers: response.headers,
                body: HTTPBody { try await pieces.next() }
            )
        default: break
        }
        return HTTPStreamingResponse(
            status: response.status,
            headers: response.headers,
            body: HTTPBody(response.body)
        )
    }

    /// The request as a service sees it: the target without scheme and host, which stands in `Host`.
    private static func local(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        guard let scheme = request.url.firstRange(of: "://") else { return request }
        let rest = request.url[scheme.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        request.headers["Host"] = String(rest[..<slash])
        request.url = String(rest[slash...])
        return request
    }
}

private actor OnePieceThenError {
    private var piece: [UInt8]?

    init(_ piece: [UInt8]) {
        self.piece = piece
    }

    func next() throws -> [UInt8]? {
        guard let piece else { throw HTTPTransportError(.connectionLost, "the body was cut") }
        self.piece = nil
        return piece
    }
}
