import ODataText
import OfflineValues

/// The address of a service and of what lies below it.
package struct ServiceURL: Sendable {
    /// The service root with a slash at its end, without query and credentials.
    package let root: String
    /// Query options that go along with every request, `name=value` as in a URL.
    package var options: [String]
    /// Name and password that stood in the URL; nowhere else are they kept.
    package let credentials: (name: String, password: String)?
    /// Whether links to another origin lead to the service's own.
    package var mapsForeignLinks = false

    /// Checks and completes a service root.
    ///
    /// - Throws: ``OfflineODataError`` where it is no absolute HTTP URL.
    package init(root: String) throws {
        let (plain, credentials) = Self.withoutCredentials(root)
        self.credentials = credentials
        let lowercased = plain.prefix { $0 != "/" }.lowercased()
        guard ["http:", "https:"].contains(lowercased), Self.hasAuthority(plain) else {
            throw OfflineODataError(
                .invalidInput,
                "the service root must be an absolute http or https URL with a host, not '\(plain)'"
            )
        }
        let parts = URLParts(String(plain.prefix { $0 != "#" }))
        options = parts.options.map(PercentEncoding.completed)
        let path = parts.path.hasSuffix("/") ? parts.path : parts.path + "/"
        self.root = PercentEncoding.completed(path)
    }

    /// Whether a URL names a host, and a port that there is if any (RFC 3986 § 3.2).
    private static func hasAuthority(_ url: String) -> Bool {
        guard let scheme = url.firstRange(of: "://") else { return false }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let hasBrackets = authority.hasPrefix("[")
        if hasBrackets, !authority.contains("]") { return false }
        let host = hasBrackets ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        let rest = authority[host.endIndex...].drop { $0 == "]" }
        guard !host.isEmpty, rest.isEmpty || rest.hasPrefix(":") else { return false }
        return rest.count <= 1 || UInt16(rest.dropFirst()).map { $0 > 0 } ?? false
    }

    /// Takes name and password out of a URL (RFC 3986 § 3.2.1).
    private static func withoutCredentials(_ url: String) -> (
        String, (name: String, password: String)?
    ) {
        guard let scheme = url.firstRange(of: "://") else { return (url, nil) }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return (url, nil) }
        let parts = authority[..<at].split(
            separator: ":",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let plain = url[..<scheme.upperBound] + url[authority.index(after: at)...]
        return (
            String(plain),
            (
                PercentEncoding.decoded(parts[0]),
                parts.count > 1 ? PercentEncoding.decoded(parts[1]) : ""
            )
        )
    }

    /// Adds options; replaces one with the same name.
    package mutating func add(_ added: [String]) {
        let names = Set(added.map(Self.name))
        options =
            options.filter { !names.contains(Self.name($0)) } + added.map(PercentEncoding.completed)
    }

    /// The same address, without the values of options that are credentials.
    var withoutCredentials: ServiceURL {
        var url = self
        url.options = options.map { option in
            let name = Self.name(option)
            return OfflineODataCredentialFields.isCredential(queryOption: name)
                ? name + "=" : option
        }
        return url
    }

    private static func name(_ option: String) -> String {
        String(option.prefix { $0 != "=" })
    }

    /// Returns the URL of a request with the options that go along, but for those that it has itself; other origins, where
    /// streams may be kept, get none.
    package func completed(_ url: String) -> String {
        URLReference.origin(of: url) == origin ? withOptions(url) : url
    }

    /// Returns the URL of a request inside of a batch, relative to the service root or absolute, with the options that go along.
    package func completedInBatch(_ url: String) -> String {
        URLReference.origin(of: url).isEmpty ? withOptions(url) : completed(url)
    }

    private func withOptions(_ url: String) -> String {
        guard !options.isEmpty else { return url }
        var parts = URLParts(url)
        let own = parts.options.map(Self.name)
        let missing = options.filter { !own.contains(Self.name($0)) }
        guard !missing.isEmpty else { return url }
        parts.options += missing
        return parts.url
    }

    /// Scheme, host and port.
    var origin: String { URLReference.origin(of: root) }

    /// Returns the origin that a text names, and nothing but it.
    ///
    /// - Throws: ``OfflineODataError`` where it is none, such as `https://files.example.com`.
    package static func origin(named text: String) throws -> String {
        let origin = URLReference.origin(of: text)
        let rest = URLReference.path(of: text)
        guard origin.hasPrefix("http://") || origin.hasPrefix("https://"), !origin.hasSuffix("/"),
            !origin.contains("@"), rest.isEmpty || rest == "/"
        else {
            throw OfflineODataError(
                .invalidInput,
                "'\(text)' is no origin: give scheme and host, such as https://files.example.com"
            )
        }
        return origin
    }

    /// Returns the absolute URL of a link, relative ones held against a request's URL, or the service root (RFC 3986 § 5.2).
    ///
    /// - Throws: ``OfflineODataError`` where it leads to another origin, which the credentials must not reach.
    package func resolve(_ link: String, against request: String? = nil) throws -> String {
        let base = request ?? root
        return link.isEmpty ? base : try own(URLReference.joined(link, to: base))
    }

    /// Returns the absolute URL of a link on a page: relative ones are meant from the context URL, which stands at the service root
    /// (OData JSON 4.01 § 4.5.1), else from the request.
    package func resolve(_ link: String, onPageAt request: String, context: String?) throws
        -> String
    {
        let hasContext = context?.contains("$metadata") ?? false
        return try resolve(link, onPageAt: request, hasContext: hasContext)
    }

    /// The same where it is known whether the page has a context.
    package func resolve(_ link: String, onPageAt request: String, hasContext: Bool) throws
        -> String
    {
        try resolve(link, against: link.hasPrefix("?") || !hasContext ? request : nil)
    }

    /// An absolute link as one to the service's own origin.
    private func own(_ link: String) throws -> String {
        let there = URLReference.origin(of: link)
        let rest = URLReference.path(of: link)
        // A gateway that ends TLS leaves the service thinking that it is spoken to without.
        let isUpgraded = origin == "https://" + there.dropFirst("http://".count)
        guard there == origin || isUpgraded || mapsForeignLinks && there.hasPrefix("http") else {
            throw OfflineODataError(
                .server,
                "the service sent a link to another origin, \(there.isEmpty ? link : there): refused;"
                    + " where a gateway stands before the service, its links may be taken for the service's own (mapsForeignLinks, --map-links)"
            )
        }
        return origin
            + PercentEncoding.completed(URLReference.withoutDots(String(rest.isEmpty ? "/" : rest)))
    }

    /// Returns where a request goes: below the root, or where a link of the service's leads.
    ///
    /// - Throws: ``OfflineODataError`` where it leads to another origin.
    package func target(_ url: String) throws -> String {
        let isAbsolute = url.hasPrefix("http://") || url.hasPrefix("https://")
        return isAbsolute ? try resolve(url) : absolute(url)
    }

    /// Returns the URL of a request as a user writes it, relative to the root; `~/` before it is allowed.
    package func absolute(_ relative: String) -> String {
        root
            + PercentEncoding.completed(
                relative.hasPrefix("~/") ? String(relative.dropFirst(2)) : relative
            )
    }
}
