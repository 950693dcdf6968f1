import ODataModel
import ODataPayload
import ODataHTTP

/// How a service is spoken to.
struct ServiceClientSettings: Sendable {
    /// Header fields of every request.
    var headers: HTTPHeaders = [:]
    /// Cookies of every request, until the service sets others.
    var cookies: [String: String] = [:]
    var credentials: (any OfflineODataCredentials)?
    /// Origins beside the service's that streams may be read from, without anything that says who asks.
    var allowedOrigins: Set<String> = []
    /// Time without a byte after which a request fails.
    var timeout: Duration = .seconds(60)
    var retry = OfflineODataRetryPolicy()
    /// Whether 503 with `Retry-After` means that a write was not processed; else it counts as a lost answer.
    var takesUnavailableAsUnprocessed = false
    /// Bytes of an answer that is held in memory, at most.
    var maximumBodySize = 256 * 1024 * 1024
    /// What is taken of metadata documents.
    var metadataLimits = CSDLLimits()
    /// What is taken of Atom, which is rewritten before it is read.
    var payloadLimits = PayloadLimits()
    /// Takes what is to be logged.
    var log = Log(nil)
}
