import StoreRecords
import ODataBinding
import ODataSQL
package import ODataTables

extension DefiningQueries {
    /// Returns when the query was last loaded that was so longest ago of those that bring entities of the set which a URL asks for,
    /// RFC 3339; nil where none of them was.
    ///
    /// The times are compared as texts, which is right to the second.
    package func oldestDownload(bringing url: String, in schema: TableSchema) throws -> String? {
        guard let path = EntityPath(ofService: url, in: schema.model), let source = path.finalSource
        else { return nil }
        var oldest: String?
        try forEachDownload { query, time in
            guard oldest.map({ time < $0 }) ?? true else { return }
            let reach = schema.queryReaches.sources(of: query) {
                QueryReach.sources(of: query, in: schema)
            }
            if reach.contains(source) { oldest = time }
        }
        return oldest
    }
}
