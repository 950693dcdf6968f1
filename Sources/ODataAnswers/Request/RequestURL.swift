import ODataHTTP

/// URLs as a service meets them: absolute, with an absolute path, or relative to the service root.
package struct RequestURL: Sendable {
    /// Absolute URL of the service root, with a slash at its end.
    package var root: String

    /// Finds the root that a request was sent to.
    init(_ request: HTTPRequest, options: ServiceOptions) {
        if let root = options.serviceRoot {
            self.root = root
        } else if let authority = Self.authority(of: request.url) {
            root = authority + options.rootPath
        } else {
            root = "http://" + (request.headers["Host"] ?? "localhost") + options.rootPath
        }
    }

    /// Scheme and authority of an absolute URL.
    private static func authority(of url: String) -> String? {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else { return nil }
        let bytes = Array(url.utf8)
        var slashes = 0
        let end = bytes.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 3 || byte == UInt8(ascii: "?")
        }
        return String(decoding: bytes[..<(end ?? bytes.count)], as: UTF8.self)
    }

    /// Path of the root: `/` or `/service/`.
    package var rootPath: String {
        let authority = Self.authority(of: root) ?? ""
        return String(decoding: root.utf8.dropFirst(authority.utf8.count), as: UTF8.self)
    }

    /// Returns a URL relative to the root; nil where it lies outside.
    func relative(_ url: String) -> String? {
        belowRoot(url).map(Self.withoutLastSlash)
    }

    /// An empty last segment means nothing: some clients of versions 1 to 3 end every path with a slash.
    private static func withoutLastSlash(_ url: String) -> String {
        let path = url.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard path.last == UInt8(ascii: "/"), path.count > 1 else { return url }
        return String(decoding: path.dropLast(), as: UTF8.self)
            + String(decoding: url.utf8[path.endIndex...], as: UTF8.self)
    }

    private func belowRoot(_ url: String) -> String? {
        if url.hasPrefix("http://") || url.hasPrefix("https://") {
            if let rest = rest(of: url, after: root) { return rest }
            return url.utf8.count + 1 == root.utf8.count && root.hasPrefix(url) ? "" : nil
        }
        if url.hasPrefix("/") {
            if let rest = rest(of: url, after: rootPath) { return rest }
            return url.utf8.count + 1 == rootPath.utf8.count && rootPath.hasPrefix(url) ? "" : nil
        }
        return url.hasPrefix("~/") ? String(url.dropFirst(2)) : url
    }

    private func rest(of url: String, after prefix: String) -> String? {
        url.utf8.starts(with: prefix.utf8)
            ? String(decoding: url.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
    }
}
