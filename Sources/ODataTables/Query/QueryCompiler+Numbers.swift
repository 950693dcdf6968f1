import ODataModel
import ODataProtocol

/// Numeric promotion (OData 4.01 Part 2 § 5.1.1.16) over the forms in which numbers are stored.
extension QueryCompiler {
    /// Two operands brought to one form, so that SQL compares them as OData does.
    func harmonized(
        _ left: SQLExpression,
        _ right: SQLExpression
    ) throws -> (SQLExpression, SQLExpression) {
        guard let form = common(left.form, right.form) else { return (left, right) }
        return (try converted(left, to: form), try converted(right, to: form))
    }

    /// The form that holds both; nil where they need no conversion.
    private func common(_ left: ScalarForm?, _ right: ScalarForm?) -> ScalarForm? {
        guard let left, let right, left != right else { return nil }
        switch (left, right) {
        case (.scaledDecimal(let a), .scaledDecimal(let b)): return .scaledDecimal(scale: max(a, b))
        case (.scaledDecimal, .integer): return left
        case (.integer, .scaledDecimal): return right
        case (.json, _): return right
        case (_, .json): return left
        case (.double, _), (.single, _): return .double
        case (_, .double), (_, .single): return .double
        case (.decimalText, _), (_, .decimalText): return .decimalText
        case (.date, .dateTimeOffset): return right
        case (.dateTimeOffset, .date): return left
        default: return nil
        }
    }

    /// A literal; a decimal of few digits as a scaled integer, so that arithmetic with it stays exact and indexes serve.
    func literal(_ scalar: Scalar, _ form: ScalarForm) -> SQLExpression {
        if form == .decimalText, case .text(let encoded) = scalar,
            let (value, scale) = scaled(encoded)
        {
            return SQLExpression(
                sql: parameter(.integer(value)),
                form: .scaledDecimal(scale: scale),
                literal: .integer(value)
            )
        }
        return SQLExpression(sql: parameter(scalar), form: form, literal: scalar)
    }

    /// The integer and the scale that say a decimal exactly; nil where it has too many digits.
    private func scaled(_ encoded: String) -> (value: Int64, scale: Int)? {
        guard let decimal = DecimalText(encoded: encoded) else { return nil }
        for scale in 0...Self.largestLiteralScale {
            if let (value, isExact) = decimal.scaled(scale), isExact { return (value, scale) }
        }
        return nil
    }

    /// Literals with more fractional digits are compared as text.
    private static let largestLiteralScale = 9

    /// A literal in another form, converted before it is bound; nil where that needs SQL.
    private func convertedLiteral(_ literal: Scalar, _ from: ScalarForm, to form: ScalarForm)
        -> Scalar?
    {
        guard case .integer(let value) = literal else { return nil }
        switch (from, form) {
        case (.scaledDecimal(let scale), .decimalText):
            return .text(DecimalText(value, scale: scale).encoded)
        case (.integer, .decimalText): return .text(DecimalText(value).encoded)
        case (.scaledDecimal(let scale), .double), (.scaledDecimal(let scale), .single):
            return Double(DecimalText(value, scale: scale).text).map { .real($0) }
        default: return nil
        }
    }

    /// An expression in another form.
    func converted(_ operand: SQLExpression, to form: ScalarForm) throws -> SQLExpression {
        guard let from = operand.form, from != form else { return operand }
        if let literal = operand.literal, let value = convertedLiteral(literal, from, to: form) {
            return SQLExpression(sql: parameter(value), form: form, literal: value)
        }
        let sql = operand.sql
        switch (from, form) {
        case (.integer, .scaledDecimal(let scale)):
            return SQLExpression(sql: "(\(sql) * \(powerOfTen(scale)))", form: form)
        case (.scaledDecimal(let a), .scaledDecimal(let b)) where a < b:
            return SQLExpression(sql: "(\(sql) * \(powerOfTen(b - a)))", form: form)
        case (.scaledDecimal(let scale), .double), (.scaledDecimal(let scale), .single):
            return SQLExpression(sql: "(\(sql) / \(powerOfTen(scale)).0)", form: form)
        case (.scaledDecimal(let scale), .decimalText):
            return SQLExpression(sql: "odata_decimal(\(sql), \(scale))", form: form)
        case (.integer, .decimalText):
            return SQLExpression(sql: "odata_decimal(\(sql), 0)", form: form)
        case (.decimalText, .double), (.decimalText, .single):
            return SQLExpression(sql: "odata_real(\(sql))", form: form)
        case (.date, .dateTimeOffset):
            return SQLExpression(sql: "(\(sql) * \(Instant.ticksPerDay))", form: form)
        case (.dateTimeOffset, .date):
            return SQLExpression(sql: "odata_part(\(sql), 'date', NULL)", form: form)
        case (.double, .integer), (.single, .integer):
            return SQLExpression(sql: "CAST(\(sql) AS INTEGER)", form: form)
        case (.scaledDecimal(let scale), .integer):
            return SQLExpression(sql: "(\(sql) / \(powerOfTen(scale)))", form: form)
        case (.integer, .integer), (.integer, .double), (.integer, .single), (.single, .double),
            (.double, .single), (.enumeration, .integer), (.integer, .enumeration), (_, .json),
            (.json, .string), (.json, .integer), (.json, .boolean), (.json, .double),
            (.json, .single):
            return SQLExpression(sql: sql, form: form, literal: operand.literal)
        default: return try convertedThroughText(operand, from, to: form)
        }
    }

    /// A conversion by way of the text that both types have; null where that text says no value of the other type.
    private func convertedThroughText(
        _ operand: SQLExpression,
        _ from: ScalarForm,
        to form: ScalarForm
    ) throws -> SQLExpression {
        var sql = operand.sql
        if from != .string, from != .json {
            guard let tag = from.tag else {
                throw QueryError(.notSupported, "a conversion of an enumeration is not supported")
            }
            sql = "odata_text(\(sql), '\(tag)')"
        }
        if form != .string {
            guard let tag = form.tag else {
                throw QueryError(.notSupported, "a conversion to an enumeration is not supported")
            }
            sql = "odata_parse(\(sql), '\(tag)')"
        }
        return SQLExpression(sql: sql, form: form)
    }

    func powerOfTen(_ exponent: Int) -> String {
        "1" + String(repeating: "0", count: exponent)
    }

    func arithmetic(
        _ operation: ArithmeticOperator,
        _ left: SQLExpression,
        _ right: SQLExpression
    ) throws -> SQLExpression {
        if let temporal = temporal(operation, left, right) { return temporal }
        switch operation {
        case .multiply:
            if case .scaledDecimal(let a) = left.form, case .scaledDecimal(let b) = right.form {
                return SQLExpression(
                    sql: whole("(\(left.sql) * \(right.sql))", left.form),
                    form: .scaledDecimal(scale: a + b)
                )
            }
            if case .scaledDecimal = left.form, case .integer = right.form {
                return SQLExpression(
                    sql: whole("(\(left.sql) * \(right.sql))", left.form),
                    form: left.form
                )
            }
            if case .integer = left.form, case .scaledDecimal = right.form {
                return SQLExpression(
                    sql: whole("(\(left.sql) * \(right.sql))", right.form),
                    form: right.form
                )
            }
        case .divide, .divideBy:
            if case .integer = left.form, case .integer = right.form, operation == .divide { break }
            let (a, b) = (try converted(left, to: .double), try converted(right, to: .double))
            return SQLExpression(sql: "(CAST(\(a.sql) AS REAL) / \(b.sql))", form: .double)
        default: break
        }
        return try plain(operation, left, right)
    }

    /// An operation on operands of one form.
    private func plain(
        _ operation: ArithmeticOperator,
        _ left: SQLExpression,
        _ right: SQLExpression
    ) throws -> SQLExpression {
        var (left, right) = try harmonized(left, right)
        if left.form == .decimalText {
            (left, right) = (try converted(left, to: .double), try converted(right, to: .double))
        }
        if operation == .modulo, left.form == .double {
            return SQLExpression(sql: "odata_mod(\(left.sql), \(right.sql))", form: .double)
        }
        let form = left.form ?? right.form
        let sql = "(\(left.sql) \(operation.sql) \(right.sql))"
        return SQLExpression(sql: whole(sql, form), form: form)
    }

    /// A result that must stay a whole number: an overflow is an error, not a rounded value.
    private func whole(_ sql: String, _ form: ScalarForm?) -> String {
        switch form {
        case .integer, .scaledDecimal: "odata_whole\(sql)"
        default: sql
        }
    }

    /// Instants, dates and durations (OData 4.01 Part 2 § 5.1.1.2.1).
    private func temporal(
        _ operation: ArithmeticOperator,
        _ left: SQLExpression,
        _ right: SQLExpression
    ) -> SQLExpression? {
        let sql = "(\(left.sql) \(operation.sql) \(right.sql))"
        switch (left.form, operation, right.form) {
        case (.dateTimeOffset, .subtract, .dateTimeOffset):
            return SQLExpression(sql: sql, form: .duration)
        case (.dateTimeOffset, _, .duration): return SQLExpression(sql: sql, form: .dateTimeOffset)
        case (.date, .subtract, .date):
            return SQLExpression(sql: "(\(sql) * \(Instant.ticksPerDay))", form: .duration)
        case (.date, _, .duration):
            let days = "(\(right.sql) / \(Instant.ticksPerDay))"
            return SQLExpression(sql: "(\(left.sql) \(operation.sql) \(days))", form: .date)
        case (.duration, _, .duration): return SQLExpression(sql: sql, form: .duration)
        default: return nil
        }
    }
}

extension ArithmeticOperator {
    fileprivate var sql: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide, .divideBy: "/"
        case .modulo: "%"
        }
    }
}
