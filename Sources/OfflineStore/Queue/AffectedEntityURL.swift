package import ODataSQLite
import ODataSQL
import StoreRecords
package import ODataTables

/// URLs that lead from a request to the entity that it is about: `ErrorArchive(5)/AffectedEntity`.
///
/// The entity may be of any set, so no navigation property of the model can lead there: the URL is put in terms of the entity.
package enum AffectedEntityURL {
    private static let sets = ["RequestQueue(", "ErrorArchive("]

    /// Whether a URL, relative to the service root, may be such a one.
    package static func isCandidate(_ url: String) -> Bool {
        sets.contains { url.hasPrefix($0) } && url.contains("/AffectedEntity")
    }

    /// Returns the URL in terms of the entity; the URL itself where it is another one, or where the request has no entity.
    ///
    /// - Parameter includesDeleted: Whether an entity that is deleted here counts too.
    package static func resolved(
        _ url: String,
        on connection: SQLiteConnection,
        in schema: TableSchema,
        includesDeleted: Bool = false
    ) throws -> String {
        let links = EntityLink(
            RowEditor(connection, layout: schema.layout),
            includesDeleted: includesDeleted
        )
        guard let (entity, tail) = try target(url, on: connection, in: schema),
            let link = try links.link(entity)
        else { return url }
        return link + tail
    }

    /// Returns the row that a request is about, where the URL leads to its entity and no further: another row may have its key.
    static func row(_ url: String, on connection: SQLiteConnection, in schema: TableSchema) throws
        -> RowReference?
    {
        try target(url, on: connection, in: schema).flatMap { $0.tail.isEmpty ? $0.entity : nil }
    }

    private static func target(
        _ url: String,
        on connection: SQLiteConnection,
        in schema: TableSchema
    ) throws -> (entity: RowReference, tail: Substring)? {
        guard isCandidate(url), let open = url.firstIndex(of: "("),
            let close = url.firstIndex(of: ")")
        else { return nil }
        let key = url[url.index(after: open)..<close].split(separator: "=").last ?? ""
        let rest = url[url.index(after: close)...]
        let name = "/AffectedEntity"
        guard rest.hasPrefix(name), let id = Int64(key) else { return nil }
        let tail = rest.dropFirst(name.count)
        // The property of that name is text, and has a raw value like any other.
        guard tail.isEmpty || tail.hasPrefix("/") && tail != "/$value" || tail.hasPrefix("?"),
            let entry = try RequestQueue(connection).entry(id),
            (entry.status == .failed) == url.hasPrefix("ErrorArchive"), let row = entry.row,
            let source = schema.source(of: entry)
        else { return nil }
        return (RowReference(source: source, row: row), tail)
    }
}
