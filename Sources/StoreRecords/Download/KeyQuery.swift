import ODataBinding
import ODataText
import ODataSQL
package import ODataTables

/// A query for the keys of what a defining query brings.
package enum KeyQuery {
    /// Options that say nothing about which entities come.
    private static let others: Set<String> = ["select", "orderby", "inlinecount", "count"]

    /// Returns the URL; that of the query itself where it brings entities with others, or only some in an order.
    package static func url(of query: DefiningQuery, in schema: TableSchema) -> String? {
        guard let asked = AddressedEntities(query.url, in: schema.model),
            let table = asked.path.finalSource.flatMap({ schema.layout[$0] })
        else { return nil }
        guard asked.options.expand.isEmpty, asked.options.top == nil, asked.options.skip == nil
        else { return query.url }
        let keys = table.keyColumns.compactMap { table.columns[$0].path.first }
        let select = "$select=" + keys.joined(separator: ",")
        return URLParts(query.url).url(without: others, adding: select)
    }
}
