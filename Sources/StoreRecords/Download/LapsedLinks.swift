import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables

/// Links of entities that only a query has brought whose result they have left: no download says any more where they lead.
struct LapsedLinks {
    private let coverage: RowCoverage
    private let schema: TableSchema
    /// Everything that may bring the links from their other ends.
    private let queries: [DefiningQuery]

    init(_ coverage: RowCoverage, schema: TableSchema, queries: [DefiningQuery]) {
        self.coverage = coverage
        self.schema = schema
        self.queries = queries
    }

    /// Forgets the links of rows of a table by some properties; what is changed here stays.
    func forget(_ navigations: Set<NavigationPropertyID>, of rows: [Int64], in table: TableLayout)
        throws
    {
        for navigation in navigations {
            let target = schema.model.target(of: navigation, from: table.source)
            guard
                case .links(let name, let isReversed) = schema.layout.relationship(
                    navigation,
                    from: table.source,
                    to: target
                ), try coverage.catalog.exists(name)
            else { continue }
            let (near, far) = isReversed ? ("target", "source") : ("source", "target")
            let holders = try holders(of: navigation, in: target.flatMap { schema.layout[$0] })
            for chunk in RowCoverage.chunks(rows, column: near) {
                try coverage.connection.execute(
                    """
                    DELETE FROM \(name.sqlQuoted) WHERE \(chunk) AND NOT EXISTS (
                        SELECT 1 FROM "$baselink" k WHERE k."table" = \(name.sqlText)
                            AND k."source" = \(name.sqlQuoted)."source"
                            AND k."target" = \(name.sqlQuoted)."target")
                        AND "\(far)" NOT IN (\(holders))
                    """
                )
            }
        }
    }

    /// The query for the rows whose links come from the other end.
    private func holders(of navigation: NavigationPropertyID, in target: TableLayout?) throws
        -> String
    {
        guard let target, try coverage.catalog.exists(target.name),
            let partner = schema.layout.partner(of: navigation)
        else { return "" }
        let conditions = queries.filter {
            BroughtValues(of: $0, target, in: schema).navigations.contains(partner)
        }
        .map { "(\($0.holds()))" }
        guard !conditions.isEmpty else { return "" }
        return
            "SELECT \"$id\" FROM \(target.sql) WHERE \(conditions.joined(separator: " OR "))"
    }
}
