/// An arithmetic operation (OData 4.01 Part 2 § 5.1.1.2).
public enum ArithmeticOperator: String, Sendable {
    /// Addition.
    case add
    /// Subtraction.
    case subtract = "sub"
    /// Multiplication.
    case multiply = "mul"
    /// Division; of integers, an integer.
    case divide = "div"
    /// Division with a fractional result.
    case divideBy = "divby"
    /// The remainder of a division.
    case modulo = "mod"
}
