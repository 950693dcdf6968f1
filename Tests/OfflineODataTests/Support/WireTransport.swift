import ODataHTTP
import TestSupport

/// Carries the requests of a service in this process over a socket, by a transport of the product.
final class WireTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let server: WireServer
    private let root: String

    /// - Parameters:
    ///   - kind: What carries the requests.
    ///   - handler: Answers them at the other end.
    ///   - root: The service's root as both ends know it.
    init(_ kind: TransportKind, to handler: HandlerTransport, root: String) throws {
        transport = try kind.transport()
        server = try WireServer(handler, root: root)
        self.root = root
    }

    deinit { server.stop() }

    func send(
        _ request: HTTPRequest,
        options: HTTPRequestOptions
    ) async throws -> HTTPStreamingResponse {
        var request = request
        if request.url.hasPrefix(root) {
            request.url = "http://127.0.0.1:\(server.port)/" + request.url.dropFirst(root.count)
        }
        return try await transport.send(request, options: options)
    }
}
