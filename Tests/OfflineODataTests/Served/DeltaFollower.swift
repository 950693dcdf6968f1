import ODataHTTP
import ODataText
import Testing

/// A client of a service that keeps its copy of a result by delta links.
struct DeltaFollower {
    let handler: any HTTPHandler
    let root: String
    let url: String
    let headers: HTTPHeaders
    /// Text of each entity, by its id.
    private(set) var entities: [String: String] = [:]
    /// The removals of the last answer, as they were written.
    private(set) var removed: [String] = []
    private(set) var pageCount = 0
    private(set) var link = ""

    /// Full metadata, so that each entity says its id.
    static let version401: HTTPHeaders = [
        "Accept": "application/json;odata.metadata=full", "OData-MaxVersion": "4.01",
    ]
    static let version40: HTTPHeaders = [
        "Accept": "application/json;odata.metadata=full", "OData-MaxVersion": "4.0",
    ]

    init(
        _ handler: any HTTPHandler,
        at root: String,
        _ url: String,
        _ headers: HTTPHeaders = version401
    ) async throws {
        self.handler = handler
        self.root = root
        self.url = url
        self.headers = headers
        try await follow("/" + url, prefer: "odata.track-changes")
    }

    mutating func update() async throws {
        (removed, pageCount) = ([], 0)
        try await follow(link)
    }

    private func get(_ url: String, prefer: String?) async -> HTTPResponse {
        var headers = headers
        headers["Prefer"] = prefer
        return await handler.respond(to: HTTPRequest(method: "GET", url: url, headers: headers))
    }

    private mutating func follow(_ start: String, prefer: String? = nil) async throws {
        var next: String? = start
        while let url = next {
            let response = await get(url, prefer: prefer)
            let tree = try #require(JSONTree(response.body), "\(url): \(response.text)")
            let items = try #require(tree.root["value"]?.items, "\(url): \(response.text)")
            for item in items { try take(item, String(decoding: tree.text(item), as: UTF8.self)) }
            pageCount += 1
            next = tree.string("@odata.nextLink")
            link = tree.string("@odata.deltaLink") ?? link
        }
    }

    private mutating func take(_ item: JSONNode, _ text: String) throws {
        if item["@removed"] != nil || item["reason"] != nil {
            let id = try #require((item["@id"] ?? item["id"])?.text)
            removed.append(text)
            entities[id] = nil
        } else {
            let id = try #require((item["@id"] ?? item["@odata.id"])?.text, "\(text)")
            // The id of what was made here is relative to the service root.
            entities[id.hasPrefix(root) ? id : root + id] = text
        }
    }
}
