import ODataModel
import ODataProtocol

/// Writes all that stands in the JSON object of a row besides expanded levels.
struct RowObjectWriter {
    private let query: TableQuery
    private let plan: LevelPlan
    private let dynamic: Dynamic

    /// Which members without a column are written.
    private enum Dynamic {
        case all
        case named([String])
    }

    init(_ query: TableQuery, _ plan: LevelPlan) {
        self.query = query
        self.plan = plan
        dynamic =
            switch plan.options.select {
            case .everything: .all
            case .paths(let paths): .named(paths.compactMap(\.first))
            }
    }

    /// Writes the members of the row that a statement stands on.
    func members(of row: SQLiteStatement, to writer: inout JSONWriter) throws {
        let code = row.integer(SelectStatement.place(of: .type))
        let shape = plan.shape(of: code)
        let source = RowWriter(row)
        if plan.statement.isGrouped { return source.write(shape, to: &writer) }
        let format = plan.format
        let links =
            format.hasLinks ? try RowLinks(row, plan.statement, query, format) : nil
        if format.isVerbose {
            source.verboseControl(typeName: shape.typeName, uri: links?.uri, to: &writer)
        } else if format.metadata != .none {
            let isNamed = code != 0 || format.metadata == .full || format.isMixed
            source.control(typeName: isNamed ? shape.typeName : nil, to: &writer)
            links?.writeIDs(to: &writer)
        }
        source.write(shape, to: &writer)
        if format.isVerbose || format.metadata == .full {
            links?.writeNavigation(of: shape.type, plan.options, to: &writer)
        }
        switch dynamic {
        case .all: source.dynamicMembers(to: &writer)
        case .named(let names): source.dynamicMembers(named: names, to: &writer)
        }
    }
}
