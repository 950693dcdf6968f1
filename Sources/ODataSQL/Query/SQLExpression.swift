import ODataValues
import ODataModel

/// A SQL expression with the form of its value.
struct SQLExpression {
    var sql: String
    var form: ScalarForm?
    /// The value, where it is a literal: it can then be converted before it is bound.
    var literal: Scalar?
    /// The largest magnitude that a whole number or scaled decimal can have; nil where it is not known.
    var bound: Double?
    /// The value as a decimal text where the form cuts its digits off; null where it does not (see `ExactTexts`).
    var exact: String?
    /// The column of all exact texts of the row, which most rows do not have, and what the value's text stands behind in it.
    var exactTexts: (column: String, beginning: String)?
}

extension SQLExpression {
    /// What orders values of which the same is left when their digits are cut off: null for one that is left whole, which comes first.
    ///
    /// Nil where nothing is cut off.
    var cutDigits: String? {
        guard let (texts, beginning) = exactTexts, case .scaledDecimal(let scale)? = form else {
            return nil
        }
        let cut = "odata_cut(\(texts), \(beginning), \(sql), \(scale))"
        return "CASE WHEN \(texts) IS NOT NULL THEN \(cut) END"
    }

    /// The value with all of its digits; one that is not known stays so.
    var withAllDigits: SQLExpression {
        guard let exact, case .scaledDecimal(let scale)? = form else { return self }
        let decimal = "coalesce(\(exact), odata_decimal(\(sql), \(scale)))"
        return SQLExpression(
            sql: "CASE WHEN typeof(\(sql)) = 'blob' THEN \(sql) ELSE \(decimal) END",
            form: .decimalText
        )
    }

    /// Largest magnitude of sums and products that stay in 64 bits, with room for rounding of the bound itself.
    static let largestSafeBound = 9.2e18

    /// The bound, known or by the form alone.
    var magnitude: Double {
        if case .integer(let value)? = literal { return Double(value.magnitude) }
        return bound ?? form?.largestMagnitude ?? .infinity
    }
}

extension ScalarForm {
    /// The largest magnitude of a stored integer of this form.
    fileprivate var largestMagnitude: Double? {
        switch self {
        case .integer(let type): Double(type.integerRange.upperBound) + 1
        case .scaledDecimal: 1e18
        default: nil
        }
    }
}

extension PrimitiveType {
    /// The values of a whole type; those of 64 bits for any other type.
    var integerRange: ClosedRange<Int64> {
        switch self {
        case .byte: 0...255
        case .sbyte: -128...127
        case .int16: -32_768...32_767
        case .int32: -2_147_483_648...2_147_483_647
        default: .min ... .max
        }
    }
}
