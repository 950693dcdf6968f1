import ODataValues
import ODataSQLite

/// The rows between two transformations of `$apply`, as a SELECT.
struct RowSet {
    /// A value that rows have besides the properties of their entity.
    struct Column {
        /// Names by which expressions and answers know it.
        var path: [String]
        /// Name of the column.
        var name: String
        var form: ScalarForm?
        /// Whether `compute` or `aggregate` made it; else it is a property that rows were grouped by.
        var isComputed: Bool
    }

    /// A column that says in which order rows come.
    struct Order {
        var name: String
        var isDescending: Bool
    }

    /// The statement that gives the rows.
    var select: String
    /// Alias of the rows for the statement around.
    private(set) var alias: String
    /// The entity that each row is; nil after grouping.
    private(set) var scope: QueryScope?
    var columns: [Column] = []
    /// Columns by which rows are kept apart, inside `groupby`.
    var partition: [String] = []
    var order: [Order] = []

    /// Name of the column that numbers rows.
    static let rank = "$rank"

    init(select: String, alias: String, type scope: QueryScope?) {
        self.select = select
        self.alias = alias
        self.scope = scope?.renamed(alias)
    }

    /// What to select from to get the rows, with the joins that expressions have asked for.
    var from: String {
        "(\(select)) AS \(alias)" + (scope?.allJoins.map { " " + $0 }.joined() ?? "")
    }

    /// Gives the rows another alias, under which nothing is joined yet.
    mutating func rename(_ alias: String) {
        self.alias = alias
        scope = scope?.renamed(alias)
    }

    /// The order as terms for ORDER BY, with what makes it a total one.
    var orderClauses: [String] {
        var terms = order.map { "\(alias).\($0.name.sqlQuoted)" + ($0.isDescending ? " DESC" : "") }
        if let scope {
            terms += scope.table.keyColumns.map { scope.reference($0) }
            terms.append(scope.reference(.id))
        } else {
            terms += columns.map { "\(alias).\($0.name.sqlQuoted)" }
        }
        return terms
    }

    /// Quoted names of all columns.
    var columnNames: [String] {
        (scope?.table.allColumnNames ?? [])
            + Set(columns.map(\.name) + partition + order.map(\.name)).sorted().map(\.sqlQuoted)
    }
}
