/// A comparison (OData 4.01 Part 2 § 5.1.1.1).
public enum ComparisonOperator: String, Sendable {
    /// Equal.
    case equal = "eq"
    /// Not equal.
    case notEqual = "ne"
    /// Greater than.
    case greater = "gt"
    /// Greater than or equal.
    case greaterOrEqual = "ge"
    /// Less than.
    case less = "lt"
    /// Less than or equal.
    case lessOrEqual = "le"
}
