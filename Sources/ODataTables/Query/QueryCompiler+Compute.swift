import ODataModel
import ODataProtocol

/// Values that `$compute` adds, and conditions of `$search`.
extension QueryCompiler {
    /// Takes up the definitions of `$compute`: later expressions know them by name.
    func define(_ definitions: [BoundCompute]) throws {
        for definition in definitions {
            computed[[definition.name]] = try value(definition.expression)
        }
    }

    /// The computed values that are answered: all, or those selected.
    func computedColumns(_ options: BoundOptions) -> [(
        name: String, sql: String, form: ScalarForm?
    )] {
        options.compute.compactMap { definition in
            guard let value = computed[[definition.name]] else { return nil }
            if case .paths(let paths) = options.select, !paths.contains([definition.name]) {
                return nil
            }
            return (definition.name, value.sql, value.form)
        }
    }

    // MARK: Search

    /// The conditions of a search in the string properties of a row.
    func searchConditions(_ search: SearchExpression?, _ scope: QueryScope) throws -> [String] {
        guard let search else { return [] }
        let columns = scope.table.columns.indices
            .filter { scope.table.columns[$0].form == .string }
            .map(scope.reference)
        return [parenthesized(searchCondition(search, columns.joined(separator: ", ")))]
    }

    private func searchCondition(_ search: SearchExpression, _ columns: String) -> String {
        switch search {
        case .term(let text, _):
            columns.isEmpty ? "0" : "odata_search(\(parameter(.text(text))), \(columns))"
        case .and(let left, let right):
            "(\(searchCondition(left, columns)) AND \(searchCondition(right, columns)))"
        case .or(let left, let right):
            "(\(searchCondition(left, columns)) OR \(searchCondition(right, columns)))"
        case .not(let operand): "NOT \(parenthesized(searchCondition(operand, columns)))"
        }
    }
}
