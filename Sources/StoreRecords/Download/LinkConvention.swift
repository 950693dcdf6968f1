package import ODataSQL
import ODataBinding
import ODataModel
import ODataText
package import ODataTables

/// Distinguishes links of the convention, `Set(key)` below the service root, from others (OData 4.01 Part 2 § 4.3).
package struct LinkConvention: Sendable {
    private let schema: TableSchema
    /// Service root with a slash at its end; nil where there is no service.
    private let root: String?
    /// The root that the service calls its own, where it is another one.
    private let statedRoot: String?
    /// Whether links of another host mean what this one has at the same path, also where the service is the whole host.
    private let mapsForeignLinks: Bool

    package init(
        _ schema: TableSchema,
        root: String?,
        statedRoot: String? = nil,
        mapsForeignLinks: Bool = false
    ) {
        self.schema = schema
        self.root = root
        self.statedRoot = statedRoot
        self.mapsForeignLinks = mapsForeignLinks
    }

    /// The bytes that absolute links of the convention begin with.
    package func usualStart(of table: TableLayout) -> [UInt8] {
        root.map { Array(($0 + schema.model.name(of: table.source) + "(").utf8) } ?? []
    }

    /// Returns a link in the form in which it is kept; nil for one of the convention, and for one that leads nowhere.
    ///
    /// Services behind gateways name themselves by another host: what differs in scheme and host only is as good as the convention.
    package func unusual(_ link: String, of table: TableLayout) -> String? {
        let kept = normalized(link)
        guard !kept.isEmpty, !isConventional(kept, in: table) else { return nil }
        let last = kept.split(separator: "/").last.map(String.init) ?? kept
        if Self.isAbsolute(kept), !isOwn(kept), isSegment(last, in: table) { return nil }
        return kept
    }

    /// Returns a link relative to the service root where it leads below it, else as an absolute URL.
    package func normalized(_ link: String) -> String {
        guard let root else { return link }
        var link = link
        if link.hasPrefix("./") { link = String(link.dropFirst(2)) }
        if link.hasPrefix("../") { link = URLReference.joined(link, to: root) }
        if link.hasPrefix("/"), !link.hasPrefix("//") { link = origin(of: root) + link }
        guard Self.isAbsolute(link) else { return link }
        if link.contains("/.") {
            link = origin(of: link) + URLReference.withoutDots(path(of: link))
        }
        if link.hasPrefix(root) { return String(link.dropFirst(root.count)) }
        if let statedRoot, link.hasPrefix(statedRoot) {
            return String(link.dropFirst(statedRoot.count))
        }
        let base = path(of: root)
        let path = path(of: link)
        let isBelow = (base != "/" || mapsForeignLinks) && path.hasPrefix(base)
        return isBelow ? String(path.dropFirst(base.count)) : link
    }

    /// Whether requests may go there with the credentials of the service.
    package func isOwn(_ link: String) -> Bool {
        guard Self.isAbsolute(link) else { return !link.hasPrefix("urn:") }
        guard let root else { return false }
        return origin(of: link).lowercased() == origin(of: root).lowercased()
    }

    /// Whether a link has a scheme and an authority.
    package static func isAbsolute(_ link: String) -> Bool {
        guard let scheme = link.firstRange(of: "://") else { return false }
        return link[..<scheme.lowerBound].allSatisfy(\.isLetter)
    }

    private func origin(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        return String(url[..<scheme.upperBound])
            + url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    }

    private func path(of url: String) -> String {
        String(url.dropFirst(origin(of: url).count))
    }

    private func isConventional(_ link: String, in table: TableLayout) -> Bool {
        if isSegment(link, in: table) { return true }
        if link.utf8.contains(UInt8(ascii: "%")), isEncodedSegment(link, in: table) { return true }
        // Contained entities stand below what contains them.
        guard table.isContained, link.hasSuffix(")") || !table.hasKey,
            let path = EntityPath(ofService: link, in: schema.model)
        else { return false }
        return path.finalSource == table.source
    }

    /// Whether a link is one of the convention in which more is percent-encoded than has to be (RFC 3986 § 2.4).
    private func isEncodedSegment(_ link: String, in table: TableLayout) -> Bool {
        guard !link.contains("?"),
            let path = EntityPath(ofService: link, in: schema.model), path.source == table.source,
            path.steps.count == 1, case .key? = path.steps.first
        else { return false }
        return true
    }

    /// Whether a text is the name of the set with a key in parentheses, and nothing behind it.
    private func isSegment(_ text: String, in table: TableLayout) -> Bool {
        let name = schema.model.name(of: table.source)
        guard text.utf8.starts(with: name.utf8) else { return false }
        let rest = Substring(text.utf8.dropFirst(name.utf8.count))
        if rest.isEmpty { return !table.hasKey }
        guard rest.first == "(", rest.last == ")" else { return false }
        var isQuoted = false
        for byte in rest.utf8 {
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            if byte == UInt8(ascii: "/"), !isQuoted { return false }
        }
        return true
    }
}

extension TableLayout {
    fileprivate var hasKey: Bool { !keyColumns.isEmpty }
}
