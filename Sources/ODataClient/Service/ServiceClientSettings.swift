package import OfflineValues
package import ODataModel
package import ODataPayload
package import ODataHTTP

/// How a service is spoken to.
package struct ServiceClientSettings: Sendable {
    /// Header fields of every request.
    package var headers: HTTPHeaders = [:]
    /// Cookies of every request, until the service sets others.
    package var cookies: [String: String] = [:]
    package var credentials: (any OfflineODataCredentials)?
    /// Origins beside the service's that streams may be read from, without credentials.
    package var allowedOrigins: Set<String> = []
    /// Time without a byte after which a request fails.
    package var timeout: Duration = .seconds(60)
    package var retry = OfflineODataRetryPolicy()
    /// Whether a write that is answered 503 with `Retry-After` is sent again at once, as one answered 429 is.
    package var takesUnavailableAsUnprocessed = false
    /// Bytes of an answer that is held in memory, at most.
    package var maximumBodySize: Int = 256 * 1024 * 1024
    /// What is taken of metadata documents.
    package var metadataLimits = CSDLLimits()
    /// What is taken of Atom, which is rewritten before it is read.
    package var payloadLimits = PayloadLimits()
    /// Takes what is to be logged.
    package var log = Log(nil)

    package init(
        headers: HTTPHeaders = [:],
        cookies: [String: String] = [:],
        credentials: (any OfflineODataCredentials)? = nil,
        allowedOrigins: Set<String> = [],
        timeout: Duration = .seconds(60),
        retry: OfflineODataRetryPolicy = OfflineODataRetryPolicy(),
        takesUnavailableAsUnprocessed: Bool = false,
        maximumBodySize: Int = 256 * 1024 * 1024,
        metadataLimits: CSDLLimits = CSDLLimits(),
        payloadLimits: PayloadLimits = PayloadLimits(),
        log: Log = Log(nil)
    ) {
        self.headers = headers
        self.cookies = cookies
        self.credentials = credentials
        self.allowedOrigins = allowedOrigins
        self.timeout = timeout
        self.retry = retry
        self.takesUnavailableAsUnprocessed = takesUnavailableAsUnprocessed
        self.maximumBodySize = maximumBodySize
        self.metadataLimits = metadataLimits
        self.payloadLimits = payloadLimits
        self.log = log
    }
}
