import ODataProtocol

/// What requests of a batch know of those before them.
struct BatchState: Sendable {
    var service: ServiceURL
    /// URLs of entities created or addressed, by Content-ID, relative to the service root.
    var urls: [String: String] = [:]
    /// Their ETags.
    var etags: [String: String] = [:]

    init(service: ServiceURL) {
        self.service = service
    }

    /// Remembers what a request with a Content-ID has created or changed.
    mutating func note(_ part: BatchPart, _ response: HTTPResponse) {
        guard let id = part.contentID, response.isSuccess else { return }
        let url =
            response.headers["Location"] ?? response.headers["OData-EntityId"] ?? part.request.url
        urls[id] = service.relative(url).map { URLParts($0).path }
        etags[id] = response.headers["ETag"]
    }
}
