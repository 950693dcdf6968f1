/// Carries requests to a service; an application can bring its own.
public protocol HTTPTransport: Sendable {
    /// Sends a request and answers once the header fields have come.
    ///
    /// Cancelling the task closes the connection at once. Redirects are not followed here.
    /// - Throws: ``HTTPTransportError`` where no complete head came, `CancellationError` when cancelled.
    func send(_ request: HTTPRequest, options: HTTPRequestOptions) async throws
        -> HTTPStreamingResponse

    /// Whether it sends ``HTTPRequest/streamedBody``; else such a body is read whole and given to it in ``HTTPRequest/body``.
    var sendsStreamedBodies: Bool { get }
}

extension HTTPTransport {
    /// What a transport does that knows nothing of streamed bodies.
    public var sendsStreamedBodies: Bool { false }
}

/// How a request is carried.
public struct HTTPRequestOptions: Sendable {
    /// Whether the request must not be repeated by the transport.
    public var isUnrepeatable = false
    /// Time without a byte in either direction after which the request fails.
    public var idleTimeout: Duration = .seconds(60)

    /// Creates options with the defaults.
    public init() {}
}

/// A response whose body is still arriving.
public struct HTTPStreamingResponse: Sendable {
    /// Status code.
    public var status: Int
    /// Header fields in order.
    public var headers: HTTPHeaders
    /// The body in pieces as they arrive; reading slowly slows the sender (bounded buffer).
    public var body: HTTPBody

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders, body: HTTPBody) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A body in pieces: an asynchronous sequence that can be iterated once.
public struct HTTPBody: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]

    private let nextPiece: @Sendable () async throws -> [UInt8]?

    /// Creates a body from a function that answers the next piece, nil at the end.
    public init(next: @escaping @Sendable () async throws -> [UInt8]?) {
        nextPiece = next
    }

    /// Creates a body of one piece.
    public init(_ bytes: [UInt8]) {
        let pieces = OneTimePiece(bytes)
        nextPiece = { await pieces.take() }
    }

    /// Returns the body with each error that its reading throws transformed.
    package func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> HTTPBody {
        let next = nextPiece
        return HTTPBody {
            do {
                return try await next()
            } catch {
                throw transform(error)
            }
        }
    }

    /// Returns the one iterator.
    public func makeAsyncIterator() -> Iterator {
        Iterator(nextPiece: nextPiece)
    }

    /// Iterates over the pieces.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let nextPiece: @Sendable () async throws -> [UInt8]?

        /// Returns the next piece, nil at the end.
        public mutating func next() async throws -> [UInt8]? {
            try await nextPiece()
        }
    }

    /// Returns the whole body, at most `limit` bytes.
    ///
    /// - Throws: ``HTTPTransportError`` when the body is larger.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        for try await piece in self {
            guard all.count + piece.count <= limit else {
                throw HTTPTransportError(.bodyTooLarge, "the body is larger than \(limit) bytes")
            }
            all += piece
        }
        return all
    }
}

private actor OneTimePiece {
    private var bytes: [UInt8]?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.isEmpty ? nil : bytes
    }

    func take() -> [UInt8]? {
        defer { bytes = nil }
        return bytes
    }
}
