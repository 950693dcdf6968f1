import ODataHTTP
import OfflinePolicies

extension ResponsePolicyHeaders {
    /// Reads the fields of an answer: a proxy may add a line of its own to `Cache-Control` (RFC 9110 § 5.3).
    init(_ headers: HTTPHeaders) {
        self.init { $0 == "Cache-Control" ? headers.list($0) : headers[$0] }
    }
}
