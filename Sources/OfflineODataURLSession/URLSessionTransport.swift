public import ODataHTTP

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    import Foundation
#endif

/// HTTP over `URLSession`: what Apple's systems have, with their settings for proxies, VPN and cellular data.
///
/// On Linux it is there for comparison; libcurl is faster, and ``CurlTransport`` can more. Foundation's `URLSession` there
/// - cannot slow a sender down: a body that is read slowly grows in memory;
/// - shows no client certificate, and takes no authorities but the system's;
/// - ends the process where an answer is cut between its first line and the end of its header fields, and where a body in chunks has a
///   trailer;
/// - has one error for a failed TLS handshake, for a head that is too long and for an answer that was cut: each counts as an answer that is
///   missing, so that a change whose handshake failed is asked for at the service before it is sent again;
/// - adds `Accept-Language`, and writes the names of header fields its own way.
///
/// Bodies of requests are held in memory, on every platform.
///
/// A request that must not be repeated gets a session of its own, so that no connection is used again whose end the service may have
/// closed meanwhile: there both implementations would send it once more by themselves.
public final class URLSessionTransport: HTTPTransport {
    private let settings: URLSessionTransportSettings
    private let shared: HTTPSession

    /// Makes a session; it ends when the transport and all bodies that it gave are gone.
    ///
    /// - Throws: ``HTTPTransportError`` where the settings ask for what this platform cannot do.
    public init(
        settings: URLSessionTransportSettings = URLSessionTransportSettings()
    ) throws(HTTPTransportError) {
        try settings.check()
        self.settings = settings
        shared = try HTTPSession(settings)
    }

    /// Sends a request and answers once the header fields have come.
    ///
    /// A body that is not read to its end gives its connection up.
    public func send(
        _ request: HTTPRequest,
        options: HTTPRequestOptions
    ) async throws -> HTTPStreamingResponse {
        try Task.checkCancellation()
        try request.checkForSending()
        let message = try URLRequest(request, settings: settings)
        let session = options.isUnrepeatable ? try HTTPSession(settings) : shared
        let reader = BodyReader(message, session: session, options: options, settings: settings)
        let head = try await reader.start()
        return HTTPStreamingResponse(
            status: head.status,
            headers: head.headers,
            body: HTTPBody { try await reader.next() }
        )
    }
}

/// The reading end of one transfer; releasing it ends the transfer.
private final class BodyReader: Sendable {
    private let transfer: SessionTransfer
    /// Ends with the last transfer that it carries.
    private let session: HTTPSession

    init(
        _ message: URLRequest,
        session: HTTPSession,
        options: HTTPRequestOptions,
        settings: URLSessionTransportSettings
    ) {
        self.session = session
        transfer = SessionTransfer(
            idleTimeout: options.idleTimeout,
            wholeTimeout: settings.wholeTimeout,
            bufferBytes: settings.bufferBytes
        )
        session.start(message, transfer: transfer)
    }

    deinit { transfer.cancel() }

    func start() async throws -> ResponseHead {
        try await withTaskCancellationHandler {
            try await transfer.stream.head()
        } onCancel: {
            transfer.cancel()
        }
    }

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await transfer.stream.next()
        } onCancel: {
            transfer.cancel()
        }
    }
}

extension URLRequest {
    /// Says a request as `URLSession` wants it.
    ///
    /// - Throws: ``HTTPTransportError`` where the URL is none for it.
    init(
        _ request: HTTPRequest,
        settings: URLSessionTransportSettings
    ) throws(HTTPTransportError) {
        guard let url = URL(string: request.url, encodingInvalidCharacters: false), url.host != nil
        else {
            throw HTTPTransportError(
                .protocolViolation,
                "the URL is none that URLSession takes",
                isCertainlyUnsent: true
            )
        }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        httpMethod = request.method
        httpShouldHandleCookies = false
        // The engine looks after silence itself: the session counts whole seconds, and not on every platform from the last byte.
        timeoutInterval = HTTPSession.endless
        if request.headers["User-Agent"] == nil {
            setValue(settings.userAgent, forHTTPHeaderField: "User-Agent")
        }
        for field in request.headers.fields where field.name.lowercased() != "content-length" {
            addValue(field.value, forHTTPHeaderField: field.name)
        }
        // Else Linux says a media type of its own.
        let wantsBody = ["POST", "PUT", "PATCH", "MERGE"].contains(request.method)
        if wantsBody || !request.body.isEmpty { httpBody = Data(request.body) }
    }
}
