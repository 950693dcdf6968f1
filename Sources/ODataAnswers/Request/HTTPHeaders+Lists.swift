import ODataHTTP

extension HTTPHeaders {
    /// The fields of a request that are lists, each in one line, as the readers of their values want them (RFC 9110 §§ 12.5, 13.1).
    var withListsInOneLine: HTTPHeaders {
        var headers = self
        headers.joinLines(of: ["If-Match", "If-None-Match", "Accept", "Accept-Charset"])
        return headers
    }
}
