import ODataBinding
import ODataSQLite
import ODataValues

/// Values that `$compute` adds.
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
}
