import ODataBinding
import ODataSQLite
import ODataValues
import ODataURL

/// Values that `$compute` adds, and conditions of `$search`.
extension QueryCompiler {
    /// Takes up the definitions of `$compute`: later expressions know them by name.
    func define(_ definitions: [BoundCompute]) throws {
        for definition in definitions {
            let guards = try guards(definition.expression)
            computed[[definition.name]] = try value(definition.expression)
            computedGuards[[definition.name]] = guards
        }
    }

    /// The computed values that are answered: all, or those selected.
    func computedColumns(_ options: BoundOptions) -> [ComputedColumn] {
        options.compute.compactMap { definition in
            guard var value = computed[[definition.name]] else { return nil }
            if let guards = computedGuards[[definition.name]], !guards.isEmpty {
                let unknown = value.form?.affinity == "BLOB" ? "''" : "x''"
                let known = guards.joined(separator: " AND ")
                value.sql = "CASE WHEN \(known) THEN \(value.sql) ELSE \(unknown) END"
            }
            if case .paths(let paths) = options.select, !paths.contains([definition.name]) {
                return nil
            }
            return ComputedColumn(path: [definition.name], sql: value.sql, form: value.form)
        }
    }

    /// The values that transformations have added or left: all, or those selected.
    func appliedColumns(_ rows: RowSet, options: BoundOptions) -> [ComputedColumn] {
        rows.columns.compactMap { column in
            if case .paths(let paths) = options.select,
                !paths.contains(where: { column.path.starts(with: $0) })
            {
                return nil
            }
            return ComputedColumn(
                path: column.path,
                sql: "\(rows.alias).\(column.name.sqlQuoted)",
                form: column.form,
                isTyped: column.isComputed
            )
        }
    }

    // MARK: Search

    /// The conditions of a search in the string properties of a row.
    func searchConditions(_ search: SearchExpression?, in scope: QueryScope) throws -> [String] {
        guard let search else { return [] }
        let columns = scope.table.columns.indices
            .filter { scope.table.columns[$0].form == .string }
            .map(scope.reference)
        return [parenthesized(searchCondition(search, in: columns.joined(separator: ", ")))]
    }

    func searchCondition(_ search: SearchExpression, in columns: String) -> String {
        switch search {
        case .term(let text, _):
            columns.isEmpty ? "0" : "odata_search(\(parameter(.text(text))), \(columns))"
        case .and(let left, let right):
            "(\(searchCondition(left, in: columns)) AND \(searchCondition(right, in: columns)))"
        case .or(let left, let right):
            "(\(searchCondition(left, in: columns)) OR \(searchCondition(right, in: columns)))"
        case .not(let operand): "NOT \(parenthesized(searchCondition(operand, in: columns)))"
        }
    }
}
