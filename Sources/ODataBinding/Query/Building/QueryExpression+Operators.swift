import ODataValues
import ODataURL

extension QueryExpression: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates true or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// Creates null.
    public init(nilLiteral: ()) { self = .null }

    /// A string.
    public static func string(_ value: String) -> Self { .literal(.string, value) }

    /// A whole number.
    public static func integer(_ value: Int64) -> Self { .literal(.integer, "\(value)") }

    /// A floating-point number.
    public static func double(_ value: Double) -> Self {
        if value.isNaN { return .literal(.double, "NaN") }
        if value.isInfinite { return .literal(.double, value < 0 ? "-INF" : "INF") }
        return .literal(.double, "\(value)")
    }

    /// True or false.
    public static func boolean(_ value: Bool) -> Self {
        .literal(.boolean, value ? "true" : "false")
    }
}

// MARK: - Operators

extension QueryExpression {
    /// The operator `eq`.
    public static func == (left: Self, right: Self) -> Self {
        compare(.equal, left: left, right: right)
    }

    /// The operator `ne`.
    public static func != (left: Self, right: Self) -> Self {
        compare(.notEqual, left: left, right: right)
    }

    /// The operator `gt`.
    public static func > (left: Self, right: Self) -> Self {
        compare(.greater, left: left, right: right)
    }

    /// The operator `ge`.
    public static func >= (left: Self, right: Self) -> Self {
        compare(.greaterOrEqual, left: left, right: right)
    }

    /// The operator `lt`.
    public static func < (left: Self, right: Self) -> Self {
        compare(.less, left: left, right: right)
    }

    /// The operator `le`.
    public static func <= (left: Self, right: Self) -> Self {
        compare(.lessOrEqual, left: left, right: right)
    }

    /// The operator `and`; chains stay flat.
    public static func && (left: Self, right: Self) -> Self {
        if case .and(let terms) = left.node { return Self(.and(terms + [right.written])) }
        return Self(.and([left.written, right.written]))
    }

    /// The operator `or`; chains stay flat.
    public static func || (left: Self, right: Self) -> Self {
        if case .or(let terms) = left.node { return Self(.or(terms + [right.written])) }
        return Self(.or([left.written, right.written]))
    }

    /// The operator `not`.
    public static prefix func ! (operand: Self) -> Self { Self(.not(operand.written)) }

    /// The operator `add`.
    public static func + (left: Self, right: Self) -> Self {
        compute(.add, left: left, right: right)
    }

    /// The operator `sub`.
    public static func - (left: Self, right: Self) -> Self {
        compute(.subtract, left: left, right: right)
    }

    /// The operator `mul`.
    public static func * (left: Self, right: Self) -> Self {
        compute(.multiply, left: left, right: right)
    }

    /// The operator `div`; division of whole numbers has no fraction.
    public static func / (left: Self, right: Self) -> Self {
        compute(.divide, left: left, right: right)
    }

    /// The operator `mod`.
    public static func % (left: Self, right: Self) -> Self {
        compute(.modulo, left: left, right: right)
    }

    /// A negative number.
    public static prefix func - (operand: Self) -> Self { Self(.negate(operand.written)) }

    private static func compare(_ operation: ComparisonOperator, left: Self, right: Self)
        -> Self
    {
        Self(.comparison(operation, left.written, right.written))
    }

    private static func compute(_ operation: ArithmeticOperator, left: Self, right: Self)
        -> Self
    {
        Self(.arithmetic(operation, left.written, right.written))
    }
}
