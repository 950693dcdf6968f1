import ODataHTTP

/// Decides from the head alone whether a request may reach the handler.
///
/// A listener on the loopback interface is reached by each page in a browser of the same machine:
/// by a name of its own that resolves to 127.0.0.1, or by a plain cross-origin request. So `Host` and
/// `Origin` must name the listener itself, and a browser must not name another site as the source.
struct RequestGuard: Sendable {
    let port: UInt16
    let limits: HTTPListenerLimits
    let token: String?

    private static let hosts = ["localhost", "127.0.0.1"]

    func refusal(of head: HTTPRequest, needsToken: Bool = true) -> HTTPResponse? {
        if head.url.utf8.count > limits.targetBytes {
            return .refusal(414, "the request target is longer than \(limits.targetBytes) bytes")
        }
        let headBytes = head.headers.fields.reduce(head.url.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
        if headBytes > limits.headBytes {
            return .refusal(431, "the header fields are larger than \(limits.headBytes) bytes")
        }
        // RFC 9112 § 3.2.
        guard head.headers.values(of: "Host").count == 1 else {
            return .refusal(400, "a request has one Host field")
        }
        if !isOurs(head.headers.values(of: "Host")) {
            return .refusal(421, "the Host field does not name this service")
        }
        // A target that is a whole URL counts more than the field (RFC 9112 § 3.2.2).
        if let authority = Self.authority(of: head.url), !isOurs([authority]) {
            return .refusal(421, "the request target does not name this service")
        }
        if let origin = head.headers["Origin"], !isOurs(origin: origin) {
            return .refusal(403, "requests of another origin are not taken")
        }
        if isOfAnotherSite(head) {
            return .refusal(403, "requests of another site are not answered")
        }
        if needsToken, !carriesToken(head.headers) {
            var answer = HTTPResponse.refusal(401, "the bearer token is missing or wrong")
            answer.headers["WWW-Authenticate"] = "Bearer"
            return answer
        }
        return bodyRefusal(head.headers)
    }

    /// One field that names the loopback interface and our port (RFC 9110 § 7.2).
    private func isOurs(_ hosts: [String]) -> Bool {
        guard hosts.count == 1, let host = hosts.first else { return false }
        return Self.hosts.contains { host.lowercased() == "\($0):\(port)" }
            || (port == 80 && Self.hosts.contains(host.lowercased()))
    }

    /// The host and port of a target that is a whole URL; nil where it is a path.
    private static func authority(of target: String) -> String? {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return nil }
        return String(target[scheme.upperBound...].prefix { !"/?#".contains($0) })
    }

    private func isOurs(origin: String) -> Bool {
        Self.hosts.contains { origin.lowercased() == "http://\($0):\(port)" }
    }

    /// Whether a browser names another site as the source (Fetch Metadata), also where it sends no `Origin`.
    ///
    /// Such a page could learn from the time of an answer, or show it in a frame. Following a link is allowed.
    private func isOfAnotherSite(_ head: HTTPRequest) -> Bool {
        guard let site = head.headers["Sec-Fetch-Site"]?.lowercased(),
            !["none", "same-origin"].contains(site)
        else { return false }
        let isFollowedLink =
            head.method == "GET" && head.headers["Sec-Fetch-Mode"] == "navigate"
            && head.headers["Sec-Fetch-Dest"] == "document"
        return !isFollowedLink
    }

    /// The comparison takes the same time for each wrong token of the right length.
    private func carriesToken(_ headers: HTTPHeaders) -> Bool {
        guard let token else { return true }
        let words = (headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        // The scheme has no case (RFC 9110 § 11.1).
        guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
        let (expected, given) = (Array(token.utf8), Array(words[1].utf8))
        guard given.count == expected.count else { return false }
        return zip(given, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Refuses a body whose end is not clear: with another coding than `chunked` it would end with the connection (RFC 9112 §§ 6.1, 6.3).
    private func codingRefusal(_ headers: HTTPHeaders) -> HTTPResponse? {
        let codings = headers.values(of: "Transfer-Encoding").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard !codings.isEmpty, codings != ["chunked"] else { return nil }
        guard codings.firstIndex(of: "chunked") == codings.count - 1 else {
            return .refusal(400, "the Transfer-Encoding does not end with chunked")
        }
        return .refusal(501, "bodies may be chunked; no other Transfer-Encoding is offered")
    }

    /// A length that is too large is refused before a byte of the body is read.
    private func bodyRefusal(_ headers: HTTPHeaders) -> HTTPResponse? {
        if let refusal = codingRefusal(headers) { return refusal }
        guard let text = headers["Content-Length"] else { return nil }
        // Which of them counts is what request smuggling is about (RFC 9112 § 6.1).
        guard headers["Transfer-Encoding"] == nil else {
            return .refusal(400, "a request has either Content-Length or Transfer-Encoding")
        }
        guard Set(headers.values(of: "Content-Length")).count == 1 else {
            return .refusal(400, "a request has one Content-Length")
        }
        guard let length = Int(text), length >= 0 else {
            return .refusal(400, "the Content-Length is no number")
        }
        guard length > limits.bodyBytes else { return nil }
        return .refusal(413, "the body is larger than \(limits.bodyBytes) bytes")
    }
}

extension HTTPResponse {
    /// An answer of the listener itself, in plain words.
    static func refusal(_ status: Int, _ message: String) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "text/plain; charset=utf-8", "Connection": "close"],
            body: Array((message + "\n").utf8)
        )
    }
}
