package import ODataTables

/// How the store answers a query: the SQL of each level, and whether an index serves it.
public struct OfflineODataExplanation: Sendable {
    /// A statement that answers one level of a query.
    public struct Statement: Sendable {
        /// The SQL with its numbered parameters.
        public let sql: String
        /// The values of the parameters as SQL literals; the one of an expanded level that holds its parents' ids is empty.
        public let values: [String]
        /// What SQLite says of its way to the rows (https://www.sqlite.org/eqp.html), a line for each step.
        public let plan: [String]
    }

    /// The statements, that of the first level first.
    public let statements: [Statement]

    package init(_ explanations: [TableQuery.Explanation]) {
        statements = explanations.map { Statement(sql: $0.sql, values: $0.values, plan: $0.plan) }
    }
}
