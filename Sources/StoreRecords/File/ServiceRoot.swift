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
