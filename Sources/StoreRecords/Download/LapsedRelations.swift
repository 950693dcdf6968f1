import ODataModel
import ODataSQL
import ODataSQLite
import ODataTables

/// Links and contained entities of which no download says any more whether they are there: nothing that holds their entity brings them.
///
/// What a query brings and an answer does not mention is another matter: that stays.
struct LapsedRelations {
    private let coverage: RowCoverage
    private let schema: TableSchema
    /// Everything that may bring them.
    private let queries: [DefiningQuery]
    private var layout: Layout { schema.layout }

    init(_ coverage: RowCoverage, schema: TableSchema, queries: [DefiningQuery]) {
        self.coverage = coverage
        self.schema = schema
        self.queries = queries
    }

    /// Forgets the links of rows of a table by some properties; what is changed here stays, and what comes from the other end.
    func forgetLinks(
        _ navigations: Set<NavigationPropertyID>,
        of rows: [Int64],
        in table: TableLayout
    ) throws {
        for navigation in navigations {
            let target = schema.model.target(of: navigation, from: table.source)
            guard
                case .links(let name, let isReversed) = layout.relationship(
                    navigation,
                    from: table.source,
                    to: target
                ), try coverage.catalog.exists(name)
            else { continue }
            let (near, far) = isReversed ? ("target", "source") : ("source", "target")
            let holders = try holders(of: navigation, in: target.flatMap { layout[$0] })
            for chunk in RowCoverage.chunks(rows, column: near) {
                try coverage.connection.execute(
                    """
                    DELETE FROM main.\(name.sqlQuoted) WHERE \(chunk)
                        AND \(RowLink.isUnchanged(in: name)) AND "\(far)" NOT IN (\(holders))
                    """
                )
            }
        }
    }

    /// The query for the rows whose links come from the other end; empty for none.
    private func holders(of navigation: NavigationPropertyID, in target: TableLayout?) throws
        -> String
    {
        guard let target, try coverage.catalog.exists(target.name),
            let partner = layout.partner(of: navigation)
        else { return "" }
        let conditions = conditions(bringing: partner, of: target)
        guard !conditions.isEmpty else { return "" }
        return
            "SELECT \"$id\" FROM \(target.sql) WHERE \(conditions.joined(separator: " OR "))"
    }

    /// Returns the contained rows of a table that are to go.
    ///
    /// - Parameter candidates: Those that are looked at; nil for all.
    func contents(of table: TableLayout, among candidates: Set<Int64>?) throws -> [Int64] {
        guard case .contained(let navigation) = table.source else { return [] }
        let uncovered = try coverage.uncoveredContents(candidates, in: table)
        guard !uncovered.isEmpty else { return [] }
        let containers = try coverage.catalog.tables().filter {
            schema.model.target(of: navigation, from: $0.source) == table.source
        }
        return try containers.flatMap { container in
            let bringing = conditions(bringing: navigation, of: container, row: "p.")
                .map { " AND NOT \($0)" }
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

    /// The conditions that a query holds a row of a table and brings a property with it.
    private func conditions(
        bringing navigation: NavigationPropertyID,
        of table: TableLayout,
        row: String = ""
    ) -> [String] {
        queries.filter {
            BroughtValues(of: $0, table, in: schema).navigations.contains(navigation)
        }
        .map { "(\($0.holds(row)))" }
    }
}
