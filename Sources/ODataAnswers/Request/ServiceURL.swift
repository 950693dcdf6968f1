import ODataHTTP

/// URLs as a service meets them: absolute, with an absolute path, or relative to the service root.
package struct ServiceURL: Sendable {
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

/// A relative URL cut at its question mark.
package struct URLParts: Sendable {
    var path: String
    /// Query options as written, separated by `&`.
    var options: [String]

    init(_ url: String) {
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            path = url
            options = []
            return
        }
        path = String(url[..<mark])
        options = url.utf8[url.utf8.index(after: mark)...].split(separator: UInt8(ascii: "&"))
            .map { String(Substring($0)) }
    }

    /// Returns the URL with the options of one name replaced, and others left out.
    package func url(without names: Set<String>, adding option: String? = nil) -> String {
        var kept = names.isEmpty ? options : options.filter { !names.contains(Self.name(of: $0)) }
        if let option { kept.append(option) }
        return kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
    }

    /// The value of an option, percent-decoded; its name may stand without `$` (OData 4.01 Part 2 § 5.1).
    func value(_ name: String) -> String? {
        options.first { Self.isNamed($0, name: name) }.map { option in
            let value = option.utf8.drop { $0 != UInt8(ascii: "=") }.dropFirst()
            return Self.decoded(Array(value))
        }
    }

    /// Whether an option has a name, which is given in small letters.
    private static func isNamed(_ option: String, name: String) -> Bool {
        let written = option.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard !written.contains(UInt8(ascii: "%")) else { return self.name(of: option) == name }
        let plain = written.first == UInt8(ascii: "$") ? written.dropFirst() : written
        return plain.count == name.utf8.count
            && zip(plain, name.utf8).allSatisfy { sign, small in
                sign == small || (65...90).contains(sign) && sign + 32 == small
            }
    }

    private static func name(of option: String) -> String {
        var name = decoded(Array(option.utf8.prefix { $0 != UInt8(ascii: "=") }))
        if name.hasPrefix("$") { name.removeFirst() }
        return name.lowercased()
    }

    private static func decoded(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(
                    String(decoding: bytes[index + 1...index + 2], as: UTF8.self),
                    radix: 16
                )
            {
                result.append(byte)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
