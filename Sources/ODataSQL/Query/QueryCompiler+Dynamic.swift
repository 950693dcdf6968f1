import ODataBinding
import ODataValues

/// Dynamic properties beside values whose type is known.
extension QueryCompiler {
    /// The value of an operand, of a dynamic property as the other operand needs it.
    ///
    /// JSON writes infinities as strings: the type that stands beside one says whether it is a number (OData JSON 4.01 § 7.1).
    func operand(_ expression: BoundExpression, beside other: BoundExpression) throws
        -> SQLExpression
    {
        let value = try self.value(expression)
        guard let form = other.form, form == .string || form.isNumeric,
            let type = try statedType(expression, value: value)
        else { return value }
        let isReal = "\(type) IN ('#Double', '#Single')"
        guard form.isNumeric else {
            return SQLExpression(sql: "CASE WHEN NOT \(isReal) THEN \(value.sql) END", form: .json)
        }
        let number =
            "CASE \(value.sql) WHEN 'INF' THEN 9e999 WHEN '-INF' THEN -9e999 WHEN 'NaN' THEN 'NaN' END"
        return SQLExpression(
            sql: "CASE WHEN typeof(\(value.sql)) <> 'text' THEN \(value.sql)"
                + " WHEN \(isReal) THEN \(number) END",
            form: .double
        )
    }

    /// The type that stands beside a dynamic property of an entity, empty where none does; nil for any other expression.
    private func statedType(_ expression: BoundExpression, value: SQLExpression) throws -> String? {
        guard case .path(let path) = expression, !path.isComputed, value.form == .json,
            path.type == nil, path.property.count == 1, case .row? = variables[path.variable]
        else { return nil }
        let row = try scope(of: path)
        guard row.table.column(at: path.property, of: row.type, in: model) == nil else {
            return nil
        }
        let name = parameter(.text("$.\"\(path.property[0])@odata.type\""))
        return "coalesce(json_extract(\(row.reference(.dynamic)), \(name)), '')"
    }
}
