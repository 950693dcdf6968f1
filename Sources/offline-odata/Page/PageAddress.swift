import ODataProtocol

/// What a request asks of the page; everything else is for the service.
enum PageAddress: Equatable {
    /// The document at the root, for a client that prefers HTML.
    case document
    /// A style sheet, a script or a picture.
    case file(PageFile)
    /// Data for the page, or an action: the path below `/$page/`.
    case content(String)

    /// No resource of an OData service begins with `$page` (OData 4.01 Part 2 § 4.14 reserves names with `$`).
    private static let prefix = "/$page/"

    /// Answers nil for what belongs to the service.
    init?(_ head: HTTPRequest) {
        let path = head.url.prefix { $0 != "?" && $0 != "#" }
        if path == "/" {
            guard ["GET", "HEAD"].contains(head.method), Self.prefersHTML(head) else { return nil }
            self = .document
        } else if path.hasPrefix(Self.prefix) {
            let name = String(path.dropFirst(Self.prefix.count))
            self = PageFile(named: name).map { .file($0) } ?? .content(name)
        } else {
            return nil
        }
    }

    /// Clients that take everything, as `curl` does, get the service document.
    private static func prefersHTML(_ head: HTTPRequest) -> Bool {
        guard !head.url.contains("$format") else { return false }
        let accept = AcceptHeader(head.headers.values(of: "Accept").joined(separator: ","))
        let html = accept.quality(of: MediaType(type: "text", subtype: "html"))
        return html > accept.quality(of: MediaType(type: "application", subtype: "json"))
    }
}
