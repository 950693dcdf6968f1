import ODataProtocol

/// The header fields by which a browser protects the page and the data.
enum PageHeaders {
    /// Fields of everything below `/$page/`, and of the document.
    static func own(_ contentType: String, caching: String) -> HTTPHeaders {
        [
            "Content-Type": contentType,
            "Cache-Control": caching,
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "same-origin",
        ]
    }

    /// Fields of the document.
    ///
    /// Scripts come from `/$page/` alone: a media stream of the same origin must not be one. The script puts no text into the page as
    /// HTML, and `require-trusted-types-for` refuses the attempt.
    static func document(host: String) -> HTTPHeaders {
        var headers = own(PageFile.document.contentType, caching: "no-cache")
        let files = "http://\(safe(host))/$page/"
        headers["Content-Security-Policy"] = [
            "default-src 'none'", "script-src \(files)", "style-src \(files)", "img-src \(files)",
            "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'", "trusted-types 'none'",
        ].joined(separator: "; ")
        headers["X-Frame-Options"] = "DENY"
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
        headers["Vary"] = "Accept"
        return headers
    }

    /// Adds the fields that keep an answer of the service from acting in the page's name: a media stream may be HTML of a stranger.
    static func protect(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Content-Security-Policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
        return response
    }

    /// The listener has compared the field with its own names; this keeps the policy one line whoever calls.
    private static func safe(_ host: String) -> String {
        host.filter { $0.isASCII && ($0.isLetter || $0.isNumber || ".:-".contains($0)) }
    }
}
