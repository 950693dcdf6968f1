import ODataBinding
import ODataValues
import ODataModel

/// Conversions between primitive types (OData 4.01 Part 2 § 5.1.1.10.1): null where the other type has no such value.
extension QueryCompiler {
    func cast(_ operand: BoundExpression, to form: ScalarForm) throws -> SQLExpression {
        let value = try self.value(operand)
        guard let from = value.form, from != form else {
            return SQLExpression(sql: value.sql, form: form)
        }
        switch (from, form) {
        case (.dateTimeOffset, .date): return try call(.date, arguments: [operand])
        case (.dateTimeOffset, .timeOfDay): return try call(.time, arguments: [operand])
        case (.dateTimeOffset, .string): return try text(ofInstant: operand, value: value)
        case (_, .integer(let type)) where from.isNumber: return try integer(value, type: type)
        case (_, .scaledDecimal(let scale)) where from.isNumber:
            let number = from.isReal ? value : try converted(value, to: .decimalText)
            return SQLExpression(sql: "odata_scaled(\(number.sql), \(scale))", form: form)
        case (.double, .decimalText), (.single, .decimalText):
            return try convertedThroughText(value, from: from, to: form)
        case (.enumeration(let id), .integer):
            return try integer(
                SQLExpression(sql: value.sql, form: .integer(model[id].underlyingType)),
                as: form
            )
        default: return try converted(value, to: form)
        }
    }

    /// The text of an instant, with the offset it came with.
    private func text(ofInstant instant: BoundExpression, value: SQLExpression) throws
        -> SQLExpression
    {
        let text = try converted(value, to: .string)
        guard case .path = instant else { return text }
        return SQLExpression(
            sql: "coalesce(\(try exactText(instant)), \(text.sql))",
            form: .string
        )
    }

    private func integer(_ value: SQLExpression, as form: ScalarForm) throws -> SQLExpression {
        guard case .integer(let type) = form else { return value }
        return try integer(value, type: type)
    }

    private func integer(_ value: SQLExpression, type: PrimitiveType) throws -> SQLExpression {
        let form = ScalarForm.integer(type)
        let range = type.integerRange
        if case .integer(let own)? = value.form, range.contains(own.integerRange.lowerBound),
            range.contains(own.integerRange.upperBound)
        {
            return SQLExpression(sql: value.sql, form: form)
        }
        var number = value
        if case .scaledDecimal? = value.form { number = try converted(value, to: .decimalText) }
        let lowest = range.lowerBound == .min ? "-9223372036854775807 - 1" : "\(range.lowerBound)"
        return SQLExpression(
            sql: "odata_integer(\(number.sql), \(lowest), \(range.upperBound))",
            form: form
        )
    }
}

extension ScalarForm {
    /// Whether values are numbers.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .single, .double, .scaledDecimal, .decimalText: true
        default: false
        }
    }

    fileprivate var isReal: Bool { self == .single || self == .double }
}
