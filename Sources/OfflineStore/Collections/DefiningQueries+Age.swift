import ODataModel
import ODataURL
package import ODataTables

extension DefiningQueries {
    /// Returns when the queries were last loaded that bring entities of the set which a URL asks for, RFC 3339.
    package func lastDownloads(bringing url: String, in schema: TableSchema) throws -> [String] {
        guard let request = try? BoundRequest(parsing: url, in: schema.model),
            case .entities(let path) = request.resource, let source = path.finalSource
        else { return [] }
        return try all().filter { QueryReach.sources(of: $0, in: schema).contains(source) }
            .compactMap(\.lastDownload)
    }
}
