import ODataBinding
import ODataSQL
package import ODataTables

/// A query for the keys of what a defining query brings.
package enum KeyQuery {
    /// Options that say nothing about which entities come.
    private static let others: Set<Substring> = ["$select", "$orderby", "$inlinecount", "$count"]

    /// Returns the URL; that of the query itself where it brings entities with others, or only some in an order.
    package static func url(of query: DefiningQuery, in schema: TableSchema) -> String? {
        guard let bound = try? BoundRequest(ofService: query.url, in: schema.model),
            case .entities(let path) = bound.resource,
            let table = path.finalSource.flatMap({ schema.layout[$0] })
        else { return nil }
        guard bound.options.expand.isEmpty, bound.options.top == nil, bound.options.skip == nil
        else { return query.url }
        let parts = query.url.split(separator: "?", maxSplits: 1)
        let kept = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter {
            !others.contains($0.prefix { $0 != "=" })
        }
        let keys = table.keyColumns.compactMap { table.columns[$0].path.first }
        let select = "$select=" + keys.joined(separator: ",")
        return parts[0] + "?" + (kept.map(String.init) + [select]).joined(separator: "&")
    }
}
