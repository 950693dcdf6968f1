package import ODataSQLite
import ODataValues
import ODataTables

/// The address of the service, kept in the file.
package enum ServiceRoot {
    /// Returns the service root with a slash at its end; nil for a store without service.
    package static func text(_ connection: SQLiteConnection) throws -> String? {
        guard case .text(let root)? = try connection.metaValue("serviceRoot") else { return nil }
        return root
    }

    /// The root that the service calls its own in context URLs, where it is another one: services stand behind gateways.
    package static func stated(_ connection: SQLiteConnection) throws -> String? {
        guard case .text(let root)? = try connection.metaValue("statedRoot") else { return nil }
        return root
    }

    /// Remembers the root that the service calls its own.
    package static func setStated(_ root: String, on connection: SQLiteConnection) throws {
        try connection.setMetaValue("statedRoot", to: .text(root))
    }

    /// The root in a context URL, which is the service root with `$metadata` (OData 4.01 Part 1 § 10); nil for a relative one.
    package static func named(in context: String) -> String? {
        guard LinkConvention.isAbsolute(context),
            let end = context.firstRange(of: "/$metadata")?.lowerBound
        else { return nil }
        return context[..<end] + "/"
    }

    /// Returns the part of a URL below the service root; a relative URL as it is.
    ///
    /// Services behind gateways name themselves by another host: where only scheme and host differ, the path decides.
    package static func relative(_ url: String, on connection: SQLiteConnection) throws -> String {
        let root = try text(connection)
        if let root, url.hasPrefix(root) { return String(url.dropFirst(root.count)) }
        let path = pathOfURL(url)
        if let root, case let base = pathOfURL(root), base != "/", path.hasPrefix(base) {
            return String(path.dropFirst(base.count))
        }
        return path.hasPrefix("/") ? String(path.dropFirst()) : path
    }

    /// The URL without scheme and host.
    private static func pathOfURL(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
}
