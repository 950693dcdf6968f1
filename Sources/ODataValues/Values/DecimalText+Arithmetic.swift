/// Exact arithmetic on decimals of any size (OData 4.01 Part 2 § 5.1.1.2).
extension DecimalText {
    /// Why an operation has no result.
    public enum ArithmeticError: Error, Sendable {
        /// The divisor is zero.
        case divisionByZero
        /// The result has more digits than a decimal may have.
        case tooLarge
    }

    private var number: DecimalNumber? { DecimalNumber(self) }

    /// Returns the result of an operation, exact but for quotients that do not end, which have 34 digits.
    public func applying(_ operation: ArithmeticOperator, _ other: Self) throws(ArithmeticError)
        -> Self
    {
        guard let left = number, let right = other.number else {
            return try special(operation, other: other)
        }
        switch operation {
        case .add: return try checked(left.adding(right))
        case .subtract: return try checked(left.adding(right.negated))
        case .multiply: return try checked(left.multiplied(by: right))
        case .divide:
            guard other != .zero else { throw .divisionByZero }
            return try checked(left.divided(by: right))
        case .divideBy:
            guard other == .zero else { return try checked(left.divided(by: right)) }
            if left.magnitude.isEmpty { return .nan }
            return left.isNegative ? .negativeInfinity : .infinity
        case .modulo:
            guard other != .zero else { throw .divisionByZero }
            return try checked(left.remainder(dividingBy: right))
        }
    }

    private func checked(_ number: DecimalNumber?) throws(ArithmeticError) -> Self {
        guard let result = number?.encoded else { throw .tooLarge }
        return result
    }

    /// Infinities and NaN follow the rules of floating-point numbers; of finite ones only the sign matters then.
    private func special(_ operation: ArithmeticOperator, other: Self) throws(ArithmeticError)
        -> Self
    {
        let (a, b) = (sign, other.sign)
        let result =
            switch operation {
            case .add: a + b
            case .subtract: a - b
            case .multiply: a * b
            case .divide, .divideBy: a / b
            case .modulo: a.truncatingRemainder(dividingBy: b)
            }
        if operation == .modulo, number != nil, !result.isNaN { return self }
        return Self(result)
    }

    private var sign: Double {
        switch self {
        case .nan: .nan
        case .infinity: .infinity
        case .negativeInfinity: -.infinity
        case .zero: 0
        default: self < .zero ? -1 : 1
        }
    }

    /// The number with the other sign.
    public var negated: Self {
        switch self {
        case .infinity: .negativeInfinity
        case .negativeInfinity: .infinity
        default: number?.negated.encoded ?? self
        }
    }

    /// How a decimal is made whole.
    public enum Rounding: String, Sendable {
        /// To the nearest integer, down, up, toward zero, or to the nearest even one.
        case round, floor, ceiling, truncate, even
    }

    /// Returns the whole number beside this one; `round` takes halves away from zero (OData 4.01 Part 2 § 5.1.1.9.1).
    public func rounded(_ rule: Rounding) -> Self {
        let rounding: DecimalNumber.Rounding =
            switch rule {
            case .round: .halfAwayFromZero
            case .floor: .floor
            case .ceiling: .ceiling
            case .truncate: .towardZero
            case .even: .halfToEven
            }
        return number?.rounded(rounding).encoded ?? self
    }

    /// Returns the number times ten to a power; nil where that is too large or too small.
    public func shifted(by places: Int) -> Self? {
        guard var number else { return self }
        number.exponent += places
        return number.encoded
    }

    /// The number as an integer of 64 bits; nil where it is not whole or does not fit.
    public var integer: Int64? { number?.integer }

    /// The floating-point number nearest to the decimal.
    public var real: Double {
        switch self {
        case .nan: .nan
        case .infinity: .infinity
        case .negativeInfinity: -.infinity
        default: Double(text) ?? .nan
        }
    }
}

/// A sum of decimals that grows by one after the other.
public struct DecimalSum: Sendable {
    private var total = DecimalNumber.zero
    private var special: DecimalText?
    /// Integers of one scale that are not yet in the total.
    private var pending: Int64 = 0
    private var pendingScale = 0
    private var isTooLarge = false
    /// How many values were added.
    public private(set) var count: Int64 = 0

    /// Creates an empty sum.
    public init() {}

    /// Adds the integer that stands for a number at a scale.
    public mutating func add(_ value: Int64, scale: Int) {
        count += 1
        if scale == pendingScale {
            let (sum, overflow) = pending.addingReportingOverflow(value)
            if !overflow {
                pending = sum
                return
            }
        }
        settle()
        (pending, pendingScale) = (value, scale)
    }

    /// Adds a decimal.
    public mutating func add(_ value: DecimalText) {
        count += 1
        guard let number = DecimalNumber(value) else {
            special = special.flatMap { try? $0.applying(.add, value) } ?? value
            return
        }
        guard let sum = total.adding(number) else {
            isTooLarge = true
            return
        }
        total = sum
    }

    private mutating func settle() {
        guard pending != 0 else { return }
        if let sum = total.adding(DecimalNumber(pending, scale: pendingScale)) {
            total = sum
        } else {
            isTooLarge = true
        }
        pending = 0
    }

    /// The sum; nil where it has too many digits.
    public var value: DecimalText? {
        if let special { return special }
        var copy = self
        copy.settle()
        return copy.isTooLarge ? nil : copy.total.encoded
    }
}
