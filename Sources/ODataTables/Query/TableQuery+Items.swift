package import ODataBinding
package import ODataSQL
import ODataSQLite

/// Items of collections of primitive and complex values.
extension TableQuery {
    /// Returns the places of the items that the options choose, in the order that they ask for.
    package func items(of source: QueryCompiler.ItemSource, _ options: BoundOptions) throws -> [Int]
    {
        let query = try compiler().items(of: source, options)
        let row = try prepared(query.sql, bindings: query.bindings)
        defer { row.reset() }
        var places: [Int] = []
        while try row.step() { places.append(Int(row.integer(0))) }
        return places
    }

    /// Returns the number of items that meet the conditions of the options.
    package func itemCount(of source: QueryCompiler.ItemSource, _ options: BoundOptions) throws
        -> Int64
    {
        let query = try compiler().itemCount(of: source, options)
        return try integer(query.sql, bindings: query.bindings)
    }
}
