import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables

/// Contained entities of which no download says any more whether they are there: nothing that holds their container brings them.
///
/// What a query brings and an answer does not mention is another matter: that stays.
struct LapsedContents {
    private let coverage: RowCoverage
    private let schema: TableSchema
    private let queries: [DefiningQuery]

    init(_ coverage: RowCoverage, schema: TableSchema, queries: [DefiningQuery]) {
        self.coverage = coverage
        self.schema = schema
        self.queries = queries
    }

    /// Returns the rows of a table that are to go.
    ///
    /// - Parameter candidates: Those that are looked at; nil for all.
    func rows(in table: TableLayout, among candidates: Set<Int64>?) throws -> [Int64] {
        guard case .contained(let navigation) = table.source else { return [] }
        let uncovered = try coverage.uncoveredContents(candidates, in: table)
        guard !uncovered.isEmpty else { return [] }
        let containers = try coverage.catalog.tables().filter {
            schema.layout.model.target(of: navigation, from: $0.source) == table.source
        }
        return try containers.flatMap { container in
            let bringing = queries.filter {
                BroughtValues(of: $0, container, in: schema).navigations.contains(navigation)
            }
            .map { " AND NOT (\($0.holds("p.")))" }
            return try RowCoverage.chunks(uncovered, column: "$id").flatMap { chunk in
                try coverage.rows(
                    in: table,
                    where: """
                        \(chunk) AND "$parent" IN (SELECT p."$id" FROM \(container.sql) p
                            WHERE p."$queries" <> 0\(bringing.joined()))
                        """
                )
            }
        }
    }
}
