/// Texts of URLs and of the relative links that are held against them (RFC 3986).
package enum URLReference {
    /// Ports that go without saying.
    private static let usualPorts = ["http://": ":80", "https://": ":443"]

    /// The origin of an absolute URL; empty for a relative one.
    package static func origin(of url: String) -> String {
        // One in a query is the value of an option.
        guard Self.scheme(of: url) != nil, let scheme = url.firstRange(of: "://") else { return "" }
        let rest = url[scheme.upperBound...]
        let start = url[..<scheme.upperBound].lowercased()
        var host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
        if let port = usualPorts[start], host.hasSuffix(port) { host.removeLast(port.count) }
        return start + host
    }

    /// Returns a link that came in an answer as an absolute URL of any origin.
    package static func joined(_ link: String, to url: String) -> String {
        if link.hasPrefix("//") { return url.prefix { $0 != ":" } + ":" + link }
        guard scheme(of: link) == nil else { return link }
        let path = Self.path(of: url).prefix { $0 != "?" && $0 != "#" }
        if link.hasPrefix("/") { return Self.origin(of: url) + link }
        if link.hasPrefix("?") || link.isEmpty { return Self.origin(of: url) + path + link }
        let directory = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return Self.origin(of: url) + withoutDots(directory + link)
    }

    /// The part of an absolute URL behind its origin as it is written.
    package static func path(of url: String) -> Substring {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        return url[scheme.upperBound...].drop { $0 != "/" && $0 != "?" && $0 != "#" }
    }

    /// The scheme of a link; nil for a relative one.
    ///
    /// A colon behind a slash, bracket or question mark is data.
    package static func scheme(of link: String) -> Substring? {
        guard let colon = link.firstIndex(of: ":"), colon != link.startIndex,
            link[..<colon].utf8.allSatisfy(isOfScheme)
        else { return nil }
        return link[..<colon]
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
        }
    }

    /// Takes `.` and `..` out of a path (RFC 3986 § 5.2.4); what is behind it stays.
    package static func withoutDots(_ link: some StringProtocol) -> String {
        let path = link.prefix { $0 != "?" && $0 != "#" }
        guard path.contains("/.") else { return String(link) }
        var segments: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false).map { Substring($0) }
        for (index, segment) in all.enumerated() {
            let isLast = index == all.count - 1
            switch segment {
            case ".": if isLast { segments.append("") }
            case "..":
                if segments.count > 1 { segments.removeLast() }
                if isLast { segments.append("") }
            default: segments.append(segment)
            }
        }
        return segments.joined(separator: "/") + link[path.endIndex...]
    }
}
