#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How URLs of the store and paths of configurations are written for each other.
///
/// A plain REST service is known by its own paths: `/mobile/tasks/7` is `mobile_tasks(7)` in the store. A configured path may also begin
/// with the path of the service root.
package struct ResourcePaths: Sendable {
    /// Segments of the service root's path.
    private var base: [String] = []
    /// What the templates of a plain REST service name; nil for a service with metadata.
    private var resources: RESTResources?

    /// Paths of a service of which nothing is known.
    init() {}

    /// - Parameters:
    ///   - root: The service root.
    ///   - templates: The templates of a plain REST service; nil for a service with metadata.
    package init(root: String?, templates: [RESTTemplate]?) {
        let path = root.flatMap { URL(string: $0)?.path } ?? ""
        base = ResourcePath(path).segments
        resources = templates.map(RESTResources.init)
    }

    /// Takes over the templates that a store keeps; those of the transport come before them.
    package mutating func learn(_ templates: [RESTTemplate]?) {
        resources = resources ?? templates.map(RESTResources.init)
    }

    /// A URL relative to the service root as the store understands it.
    package func local(_ url: String) -> String {
        guard let resources else { return url }
        let path = url.prefix { $0 != "?" }
        guard RESTAddress(url: String(path), in: resources) == nil,
            let address = RESTAddress(path: String(path), in: resources)
        else { return RESTQuery.local(url) }
        return RESTQuery.local(address.url + url.dropFirst(path.count))
    }

    /// The path of a URL as configurations write it, and the same with the path of the service root before it.
    package func configured(_ url: String) -> [ResourcePath] {
        let path = ResourcePath(resources.map { Self.path(of: url, in: $0) } ?? url)
        return base.isEmpty ? [path] : [path, ResourcePath(segments: base + path.segments)]
    }

    /// The service's own path of a URL; what is behind the resource, such as a property, stays behind it.
    private static func path(of url: String, in resources: RESTResources) -> String {
        let whole = String(url.prefix { $0 != "?" })
        var known = whole[...]
        while !known.isEmpty {
            let text = String(known)
            if let address = RESTAddress(url: text, in: resources)
                ?? RESTAddress(path: text, in: resources)
            {
                return address.path + whole.dropFirst(known.count)
            }
            known = known[..<(known.lastIndex(of: "/") ?? known.startIndex)]
        }
        return whole
    }
}
