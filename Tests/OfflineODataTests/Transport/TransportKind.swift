import ODataHTTP
import OfflineOData
import OfflineODataURLSession
import Testing

/// The transports that there are; the same is asked of each.
enum TransportKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case curl
    case urlSession

    var testDescription: String { rawValue }

    /// Those that take authorities of their own on this platform.
    static var takingAuthorities: [TransportKind] {
        #if canImport(Security)
            allCases
        #else
            [.curl]
        #endif
    }

    /// Whether it is Foundation's `URLSession` over its own libcurl, as on Linux.
    ///
    /// What it does otherwise than others stands where this is asked, and in the documentation of ``URLSessionTransport``.
    var isFoundationOnLinux: Bool {
        #if canImport(FoundationNetworking)
            self == .urlSession
        #else
            false
        #endif
    }

    /// What is told where no connection was secured: Foundation on Linux has one code for that and for what is lost later, so that the
    /// answer is taken for missing.
    var insecure: HTTPTransportError.Code { isFoundationOnLinux ? .connectionLost : .notConnected }

    /// What tests change of the settings.
    struct Settings {
        var curl = CurlTransportSettings()

        var bufferBytes: Int {
            get { curl.bufferBytes }
            set { curl.bufferBytes = newValue }
        }
        var maximumConnections: Int {
            get { curl.maximumConnections }
            set { curl.maximumConnections = newValue }
        }
        var wholeTimeout: Duration? {
            get { curl.wholeTimeout }
            set { curl.wholeTimeout = newValue }
        }
        var authorityFile: String? {
            get { curl.authorityFile }
            set { curl.authorityFile = newValue }
        }

        /// The same for `URLSession`.
        var session: URLSessionTransportSettings {
            var settings = URLSessionTransportSettings()
            settings.bufferBytes = bufferBytes
            settings.maximumConnections = maximumConnections
            settings.wholeTimeout = wholeTimeout
            settings.authorityFile = authorityFile
            return settings
        }
    }

    /// A transport that no variable of the environment touches.
    func transport(_ change: (inout Settings) -> Void = { _ in }) throws -> any HTTPTransport {
        var settings = Settings()
        settings.curl.proxy = .none
        change(&settings)
        switch self {
        case .curl: return CurlTransport(settings: settings.curl)
        case .urlSession: return try URLSessionTransport(settings: settings.session)
        }
    }
}

extension HTTPTransport {
    /// Sends a request and reads the whole answer.
    func exchange(
        _ method: String,
        _ url: String,
        headers: HTTPHeaders = [:],
        body: [UInt8] = [],
        options: HTTPRequestOptions = HTTPRequestOptions.patient
    ) async throws -> HTTPResponse {
        let request = HTTPRequest(method: method, url: url, headers: headers, body: body)
        let answer = try await send(request, options: options)
        let bytes = try await answer.body.collect(upTo: 1 << 30)
        return HTTPResponse(status: answer.status, headers: answer.headers, body: bytes)
    }
}
