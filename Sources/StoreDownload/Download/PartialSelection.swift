package import ODataBinding
package import ODataSQLite
import ODataSQL
import StoreRecords
package import ODataTables

/// What of a set the store holds where its queries bring some properties only.
package enum PartialSelection {
    /// The select list of a context URL, `(ID,Name)`; empty where every query brings everything.
    package static func list(
        of path: EntityPath,
        in schema: TableSchema,
        on connection: SQLiteConnection
    ) throws -> String {
        guard let source = path.finalSource, let table = schema.layout[source] else { return "" }
        let queries = try DefiningQueries(connection).all().filter {
            QuerySelection.partialSources(of: $0, in: schema).contains(source)
        }
        guard !queries.isEmpty else { return "" }
        let known = try DefiningQueries(connection).all().reduce(into: Set<Int>()) { known, query in
            known.formUnion(QuerySelection.columns(of: query, table, in: schema))
        }
        let names = table.columns.indices.filter {
            known.contains($0) || table.columns[$0].keyIndex != nil
        }
        .map { table.columns[$0].path[0] }
        var seen: Set<String> = []
        return "(" + names.filter { seen.insert($0).inserted }.joined(separator: ",") + ")"
    }
}
