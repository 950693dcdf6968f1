/// The address of a service and of what lies below it.
struct ServiceURL: Sendable {
    /// The service root with a slash at its end.
    let root: String
    /// Whether links to another origin lead to the service's own.
    var mapsForeignLinks = false

    /// Checks and completes a service root.
    ///
    /// - Throws: ``OfflineODataError`` where it is no absolute HTTP URL.
    init(root: String) throws {
        guard root.hasPrefix("http://") || root.hasPrefix("https://") else {
            throw OfflineODataError(
                .invalidInput,
                "the service root must be an absolute http or https URL, not '\(root)'"
            )
        }
        self.root = Self.encoded(root.hasSuffix("/") ? root : root + "/")
    }

    /// Scheme, host and port.
    var origin: String { Self.origin(of: root) }

    private static func origin(of url: String) -> String {
        guard let scheme = url.range(of: "://") else { return "" }
        let rest = url[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return url[..<scheme.upperBound].lowercased() + host.lowercased()
    }

    /// Returns the absolute URL of a link: absolute, relative to the host, or relative to a request's URL.
    ///
    /// - Throws: ``OfflineODataError`` where it leads to another origin, which the credentials must not reach.
    func resolve(_ link: String, against request: String? = nil) throws -> String {
        if link.hasPrefix("http://") || link.hasPrefix("https://") {
            if mapsForeignLinks, Self.origin(of: link) != origin {
                return try resolve("/" + link.dropFirst(Self.origin(of: link).count + 1))
            }
            guard Self.origin(of: link) == origin else {
                throw OfflineODataError(
                    .server,
                    "the service sent a link to another origin, \(Self.origin(of: link)): refused"
                )
            }
            return Self.encoded(link)
        }
        if link.hasPrefix("/") { return origin + Self.encoded(link) }
        guard let request, !link.hasPrefix("?") else { return root + Self.encoded(link) }
        let path = request.prefix { $0 != "?" }
        let directory = path.lastIndex(of: "/").map { path[...$0] } ?? path[...]
        return directory + Self.encoded(link)
    }

    /// Returns the URL of a request as a user writes it, relative to the root; `~/` before it is allowed.
    func absolute(_ relative: String) -> String {
        root + Self.encoded(relative.hasPrefix("~/") ? String(relative.dropFirst(2)) : relative)
    }

    /// Percent-encodes bytes that no URL may hold; what is encoded already stays.
    static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: mustBeEncoded) else { return text }
        var result: [UInt8] = []
        for byte in text.utf8 {
            guard mustBeEncoded(byte) else {
                result.append(byte)
                continue
            }
            let digits = String(byte, radix: 16, uppercase: true)
            result += "%".utf8
            result += (digits.utf8.count == 1 ? "0" + digits : digits).utf8
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func mustBeEncoded(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}#".utf8.contains(byte)
    }
}

extension String {
    /// The range of the first occurrence of an ASCII text.
    fileprivate func range(of text: String) -> Range<Index>? {
        firstRange(of: text)
    }
}
