import ODataProtocol

/// A SQL expression with the form of its value.
struct SQLExpression {
    var sql: String
    var form: ScalarForm?
    /// The value, where it is a literal: it can then be converted before it is bound.
    var literal: Scalar?
}
