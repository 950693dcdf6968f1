import ODataText
import ODataHTTP

/// What requests of a batch know of those before them.
struct BatchState: Sendable {
    var service: RequestURL
    /// URLs of entities created or addressed, by Content-ID, relative to the service root.
    var urls: [String: String] = [:]
    /// Their ETags.
    var etags: [String: String] = [:]

    /// Content-IDs and names of change sets that failed.
    private var failed: Set<String> = []

    init(service: RequestURL) {
        self.service = service
    }

    /// Remembers what a request with a Content-ID has created or changed.
    mutating func note(_ part: BatchPart, response: HTTPResponse) {
        guard response.isSuccess else { return fail(part) }
        guard let id = part.contentID else { return }
        let url =
            response.headers["Location"] ?? response.headers["OData-EntityId"]
            ?? resolved(part.request.url)
        urls[id] = service.relative(url).map { URLParts($0).path }
        etags[id] = response.headers["ETag"]
    }

    /// A URL that may begin with a reference to another request.
    private func resolved(_ url: String) -> String {
        guard let reference = ContentIDReference(url), let start = urls[reference.id] else {
            return url
        }
        return start + reference.rest
    }

    /// Remembers that a request failed.
    mutating func fail(_ part: BatchPart) {
        failed.formUnion([part.contentID, part.atomicityGroup].compactMap { $0 })
    }

    /// Whether a request names one that failed, in its URL or in its conditions.
    func dependsOnFailure(_ part: BatchPart) -> Bool {
        guard !failed.isEmpty else { return false }
        if part.dependsOn.contains(where: failed.contains) { return true }
        return ContentIDReference(part.request.url).map { failed.contains($0.id) } ?? false
    }
}
