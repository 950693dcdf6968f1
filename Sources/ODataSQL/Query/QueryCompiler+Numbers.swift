import ODataValues
import ODataSQLite
import ODataModel
import ODataURL

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
    func common(_ left: ScalarForm?, _ right: ScalarForm?) -> ScalarForm? {
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
    func literal(_ scalar: Scalar, as form: ScalarForm) -> SQLExpression {
        let (scalar, form) = narrowed(scalar, as: form)
        return SQLExpression(sql: parameter(scalar), form: form, literal: scalar)
    }

    private func narrowed(_ scalar: Scalar, as form: ScalarForm) -> (Scalar, ScalarForm) {
        guard form == .decimalText, case .text(let encoded) = scalar,
            let (value, scale) = scaled(encoded)
        else { return (scalar, form) }
        return (.integer(value), .scaledDecimal(scale: scale))
    }

    /// The value of a literal in the form of a column; nil where that takes SQL or changes the column's form.
    func adapted(_ scalar: Scalar, from form: ScalarForm, to wanted: ScalarForm) -> Scalar? {
        let (scalar, form) = narrowed(scalar, as: form)
        guard let shared = common(form, wanted) else { return scalar }
        guard shared == wanted else { return nil }
        return convertedLiteral(scalar, from: form, to: wanted)
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
    private func convertedLiteral(_ literal: Scalar, from: ScalarForm, to form: ScalarForm)
        -> Scalar?
    {
        guard case .integer(let value) = literal else { return nil }
        switch (from, form) {
        case (.scaledDecimal(let scale), .decimalText):
            return .text(DecimalText(value, scale: scale).encoded)
        case (.integer, .decimalText): return .text(DecimalText(value).encoded)
        case (.scaledDecimal(let scale), .double), (.scaledDecimal(let scale), .single):
            return Double(DecimalText(value, scale: scale).text).map { .real($0) }
        case (.integer, .scaledDecimal(let scale)): return multiplied(value, by: scale)
        case (.scaledDecimal(let a), .scaledDecimal(let b)) where a < b:
            return multiplied(value, by: b - a)
        default: return nil
        }
    }

    private func multiplied(_ value: Int64, by places: Int) -> Scalar? {
        var result = value
        for _ in 0..<places {
            let (next, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = next
        }
        return .integer(result)
    }

    /// An expression in another form.
    func converted(_ operand: SQLExpression, to form: ScalarForm) throws -> SQLExpression {
        guard let from = operand.form, from != form else { return operand }
        if let literal = operand.literal,
            let value = convertedLiteral(literal, from: from, to: form)
        {
            return SQLExpression(sql: parameter(value), form: form, literal: value)
        }
        let sql = operand.sql
        switch (from, form) {
        case (.integer, .scaledDecimal(let scale)): return scaledUp(operand, by: scale, as: form)
        case (.scaledDecimal(let a), .scaledDecimal(let b)) where a < b:
            return scaledUp(operand, by: b - a, as: form)
        case (.scaledDecimal(let scale), .double), (.scaledDecimal(let scale), .single):
            return SQLExpression(sql: "(\(sql) / \(powerOfTen(scale)).0)", form: form)
        case (.scaledDecimal(let scale), .decimalText):
            let decimal = "odata_decimal(\(sql), \(scale))"
            return SQLExpression(
                sql: operand.exact.map { "coalesce(\($0), \(decimal))" } ?? decimal,
                form: form
            )
        case (.integer, .decimalText):
            return SQLExpression(sql: "odata_decimal(\(sql), 0)", form: form)
        case (.decimalText, .double), (.decimalText, .single):
            return SQLExpression(sql: "odata_real(\(sql))", form: form)
        case (.date, .dateTimeOffset):
            return SQLExpression(sql: "(\(sql) * \(Instant.ticksPerDay))", form: form)
        case (.dateTimeOffset, .date):
            return SQLExpression(sql: "odata_part(\(sql), 'date', NULL)", form: form)
        case (.integer, .integer), (.integer, .double), (.integer, .single), (.single, .double),
            (.double, .single), (.enumeration, .integer), (.integer, .enumeration), (_, .json),
            (.json, .string), (.json, .integer), (.json, .boolean), (.json, .double),
            (.json, .single):
            return SQLExpression(
                sql: sql,
                form: form,
                literal: operand.literal,
                bound: operand.bound
            )
        default: return try convertedThroughText(operand, from: from, to: form)
        }
    }

    /// More digits behind the point; beyond 64 bits SQLite goes on with a real, which is still larger than everything at that scale.
    private func scaledUp(_ operand: SQLExpression, by places: Int, as form: ScalarForm)
        -> SQLExpression
    {
        let power = powerOfTen(places)
        return SQLExpression(
            sql: places == 0 ? operand.sql : "(\(operand.sql) * \(power))",
            form: form,
            literal: places == 0 ? operand.literal : nil,
            bound: operand.magnitude * (Double(power) ?? .infinity)
        )
    }

    /// A conversion by way of the text that both types have; null where that text says no value of the other type.
    func convertedThroughText(
        _ operand: SQLExpression,
        from: ScalarForm,
        to form: ScalarForm
    ) throws -> SQLExpression {
        var sql = operand.sql
        if from != .string, from != .json { sql = try text(sql, as: from) }
        if form != .string { sql = try parsed(sql, as: form) }
        return SQLExpression(sql: sql, form: form)
    }

    private func text(_ sql: String, as form: ScalarForm) throws -> String {
        if case .enumeration(let id) = form {
            return "odata_members(\(sql), \(parameter(.text(EnumerationSpec(model[id]).text))))"
        }
        return "odata_text(\(sql), '\(form.tag ?? "string")')"
    }

    private func parsed(_ sql: String, as form: ScalarForm) throws -> String {
        if case .enumeration(let id) = form {
            return "odata_flags(\(sql), \(parameter(.text(EnumerationSpec(model[id]).text))))"
        }
        return "odata_parse(\(sql), '\(form.tag ?? "string")')"
    }

    func powerOfTen(_ exponent: Int) -> String {
        "1" + String(repeating: "0", count: exponent)
    }
}

// MARK: - Arithmetic

extension QueryCompiler {
    func arithmetic(
        _ operation: ArithmeticOperator,
        left: SQLExpression,
        right: SQLExpression
    ) throws -> SQLExpression {
        if let temporal = try temporal(operation, left: left, right: right) { return temporal }
        switch (left.form, right.form) {
        case (.integer, .integer): return try integers(operation, left: left, right: right)
        case (.double, _), (.single, _), (_, .double), (_, .single):
            let (a, b) = (try converted(left, to: .double), try converted(right, to: .double))
            let sql = "odata_real('\(operation.rawValue)', \(a.sql), \(b.sql))"
            return SQLExpression(sql: sql, form: .double)
        case (let a?, let b?) where a.isDecimal && b.isDecimal:
            return try decimals(operation, left: left, right: right)
        default:
            let (a, b) = try harmonized(left, right)
            return SQLExpression(
                sql: "(\(a.sql) \(operation.sql) \(b.sql))",
                form: left.form ?? right.form
            )
        }
    }

    func negated(_ operand: SQLExpression) -> SQLExpression {
        switch operand.form {
        case .decimalText:
            SQLExpression(sql: "odata_negate(\(operand.sql))", form: operand.form)
        case .double, .single:
            SQLExpression(sql: "odata_real('sub', 0, \(operand.sql))", form: operand.form)
        case .integer, .duration:
            SQLExpression(sql: "odata_whole((- \(operand.sql)))", form: operand.form)
        default: SQLExpression(sql: "(- \(operand.sql))", form: operand.form)
        }
    }

    /// Whole numbers: what does not fit into 64 bits fails, as a division by zero does.
    private func integers(
        _ operation: ArithmeticOperator,
        left: SQLExpression,
        right: SQLExpression
    ) throws -> SQLExpression {
        let form = ScalarForm.integer(.int64)
        let sql = "(\(left.sql) \(operation.sql) \(right.sql))"
        switch operation {
        case .add, .subtract, .multiply:
            let bound = bound(operation, left: left, right: right)
            guard bound > SQLExpression.largestSafeBound else {
                return SQLExpression(sql: sql, form: form, bound: bound)
            }
            return SQLExpression(sql: "odata_whole\(sql)", form: form)
        case .divide, .modulo:
            if case .integer(let divisor)? = right.literal, divisor > 0 {
                return SQLExpression(sql: sql, form: form, bound: left.magnitude)
            }
            let name = operation == .divide ? "odata_div" : "odata_mod"
            return SQLExpression(sql: "\(name)(\(left.sql), \(right.sql))", form: form)
        case .divideBy: return try exact(operation, left: left, right: right)
        }
    }

    private func bound(
        _ operation: ArithmeticOperator,
        left: SQLExpression,
        right: SQLExpression
    ) -> Double {
        operation == .multiply
            ? left.magnitude * right.magnitude : left.magnitude + right.magnitude
    }

    /// Decimals: as scaled integers where the result surely fits, else digit by digit.
    private func decimals(
        _ operation: ArithmeticOperator,
        left: SQLExpression,
        right: SQLExpression
    ) throws -> SQLExpression {
        switch operation {
        case .add, .subtract:
            let (a, b) = try harmonized(left, right)
            let bound = bound(operation, left: a, right: b)
            guard case .scaledDecimal? = a.form, bound <= SQLExpression.largestSafeBound else {
                break
            }
            let sql = "(\(a.sql) \(operation.sql) \(b.sql))"
            return SQLExpression(sql: sql, form: a.form, bound: bound)
        case .multiply:
            guard let (a, b) = left.scale.flatMap({ a in right.scale.map { (a, $0) } }),
                a + b <= ScalarForm.largestScaledPrecision
            else { break }
            let bound = bound(operation, left: left, right: right)
            guard bound <= SQLExpression.largestSafeBound else { break }
            return SQLExpression(
                sql: "(\(left.sql) * \(right.sql))",
                form: .scaledDecimal(scale: a + b),
                bound: bound
            )
        case .divide, .divideBy, .modulo: break
        }
        return try exact(operation, left: left, right: right)
    }

    private func exact(
        _ operation: ArithmeticOperator,
        left: SQLExpression,
        right: SQLExpression
    ) throws -> SQLExpression {
        let a = try converted(left, to: .decimalText)
        let b = try converted(right, to: .decimalText)
        let sql = "odata_compute('\(operation.rawValue)', \(a.sql), \(b.sql))"
        return SQLExpression(sql: sql, form: .decimalText)
    }

    /// Instants, dates and durations (OData 4.01 Part 2 § 5.1.1.2.1).
    private func temporal(
        _ operation: ArithmeticOperator,
        left: SQLExpression,
        right: SQLExpression
    ) throws -> SQLExpression? {
        let sql = "odata_whole((\(left.sql) \(operation.sql) \(right.sql)))"
        switch (left.form, operation, right.form) {
        case (.dateTimeOffset, .subtract, .dateTimeOffset), (.timeOfDay, .subtract, .timeOfDay),
            (.duration, .add, .duration), (.duration, .subtract, .duration):
            return SQLExpression(sql: sql, form: .duration)
        case (.dateTimeOffset, _, .duration): return SQLExpression(sql: sql, form: .dateTimeOffset)
        case (.timeOfDay, _, .duration): return SQLExpression(sql: sql, form: .timeOfDay)
        case (.date, .subtract, .date):
            let days = "(\(left.sql) - \(right.sql))"
            return SQLExpression(sql: "(\(days) * \(Instant.ticksPerDay))", form: .duration)
        case (.date, _, .duration):
            // The midnight that begins the day, moved; then the day of that instant.
            let midnight = "(\(left.sql) * \(Instant.ticksPerDay))"
            let moved = "odata_whole((\(midnight) \(operation.sql) \(right.sql)))"
            return SQLExpression(sql: "odata_part(\(moved), 'date', NULL)", form: .date)
        case (.duration, .multiply, _), (.duration, .divide, _), (.duration, .divideBy, _):
            return try span(left, operation: operation, number: right)
        case (_, .multiply, .duration): return try span(right, operation: operation, number: left)
        default: return nil
        }
    }

    private func span(
        _ duration: SQLExpression,
        operation: ArithmeticOperator,
        number: SQLExpression
    ) throws -> SQLExpression {
        var factor = number.sql
        switch number.form {
        case .double, .single: factor = "odata_parse(odata_text(\(factor), 'double'), 'decimal')"
        default: factor = try converted(number, to: .decimalText).sql
        }
        let word = operation == .multiply ? "mul" : "div"
        return SQLExpression(
            sql: "odata_span(\(duration.sql), '\(word)', \(factor))",
            form: .duration
        )
    }
}

extension ScalarForm {
    /// Whether values are whole numbers or decimals.
    fileprivate var isDecimal: Bool {
        switch self {
        case .integer, .scaledDecimal, .decimalText: true
        default: false
        }
    }
}

extension SQLExpression {
    /// Digits behind the point of a whole number or scaled decimal.
    fileprivate var scale: Int? {
        switch form {
        case .integer: 0
        case .scaledDecimal(let scale): scale
        default: nil
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
