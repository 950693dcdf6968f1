/// A decimal number for exact arithmetic: a magnitude of any size and a power of ten.
///
/// The magnitude is kept in limbs of nine digits, the least significant first, without zeros at its end.
struct DecimalNumber: Sendable {
    /// Whether it is below zero; zero never is.
    var isNegative: Bool
    /// Limbs of nine digits, least significant first; empty for zero.
    var magnitude: [UInt32]
    /// The power of ten that the magnitude is multiplied by.
    var exponent: Int

    /// Digits of one limb.
    static let limbDigits = 9
    /// One more than the largest limb.
    static let base: UInt64 = 1_000_000_000
    /// Widest distance of two exponents that is bridged by zeros; twice what a stored number has digits.
    static let widestShift = 2 * DecimalText.maximumDigits

    static let zero = DecimalNumber(isNegative: false, magnitude: [], exponent: 0)

    init(isNegative: Bool, magnitude: [UInt32], exponent: Int) {
        self.magnitude = Magnitude.trimmed(magnitude)
        self.isNegative = isNegative && !self.magnitude.isEmpty
        self.exponent = exponent
    }

    /// Reads the digits of an encoded number; nil for infinities and NaN.
    init?(_ text: DecimalText) {
        let bytes = Array(text.encoded.utf8)
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x31: self = .zero
        case 0x30 where bytes.count > 7: self.init(encoded: bytes, isNegative: true)
        case 0x32 where bytes.count > 6: self.init(encoded: bytes, isNegative: false)
        default: return nil
        }
    }

    private init(encoded bytes: [UInt8], isNegative: Bool) {
        func digit(_ index: Int) -> UInt32 {
            UInt32(isNegative ? 0x69 &- bytes[index] : bytes[index]) - 0x30
        }
        let power = (1..<6).reduce(0) { $0 * 10 + Int(digit($1)) } - DecimalText.bias
        let end = isNegative ? bytes.count - 1 : bytes.count
        var limbs: [UInt32] = []
        limbs.reserveCapacity((end - 6) / Self.limbDigits + 1)
        var upper = end
        while upper > 6 {
            let lower = max(6, upper - Self.limbDigits)
            limbs.append((lower..<upper).reduce(0) { $0 * 10 + digit($1) })
            upper = lower
        }
        self.init(isNegative: isNegative, magnitude: limbs, exponent: power - (end - 6))
    }

    /// The number that an integer stands for at a scale.
    init(_ value: Int64, scale: Int = 0) {
        var limbs: [UInt32] = []
        var rest = value.magnitude
        while rest > 0 {
            limbs.append(UInt32(rest % Self.base))
            rest /= Self.base
        }
        self.init(isNegative: value < 0, magnitude: limbs, exponent: -scale)
    }

    /// The encoded form; nil where the number has more digits or a larger exponent than a store keeps.
    var encoded: DecimalText? {
        var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
        let digits = Magnitude.digits(magnitude)
        text += digits.isEmpty ? [0x30] : digits
        if exponent != 0, !digits.isEmpty {
            text.append(UInt8(ascii: "e"))
            text += String(exponent).utf8
        }
        return DecimalText(text.span)
    }
}

// MARK: - Operations

extension DecimalNumber {
    /// Both magnitudes at the smaller exponent; nil where the exponents are too far apart.
    private static func aligned(_ left: Self, _ right: Self) -> (
        [UInt32], [UInt32], exponent: Int
    )? {
        if left.magnitude.isEmpty { return ([], right.magnitude, right.exponent) }
        if right.magnitude.isEmpty { return (left.magnitude, [], left.exponent) }
        let exponent = min(left.exponent, right.exponent)
        let distance = max(left.exponent, right.exponent) - exponent
        guard distance <= widestShift else { return nil }
        return (
            Magnitude.shifted(left.magnitude, by: left.exponent - exponent),
            Magnitude.shifted(right.magnitude, by: right.exponent - exponent), exponent
        )
    }

    /// Returns the sum; nil where it would have too many digits.
    func adding(_ other: Self) -> Self? {
        guard let (a, b, exponent) = Self.aligned(self, other) else { return nil }
        if isNegative == other.isNegative {
            let sum = Magnitude.sum(a, b)
            return Self(isNegative: isNegative, magnitude: sum, exponent: exponent)
        }
        return Magnitude.precedes(a, b)
            ? Self(
                isNegative: other.isNegative,
                magnitude: Magnitude.difference(b, a),
                exponent: exponent
            )
            : Self(
                isNegative: isNegative,
                magnitude: Magnitude.difference(a, b),
                exponent: exponent
            )
    }

    /// The number with the other sign.
    var negated: Self {
        Self(isNegative: !isNegative, magnitude: magnitude, exponent: exponent)
    }

    /// Returns the product.
    func multiplied(by other: Self) -> Self {
        Self(
            isNegative: isNegative != other.isNegative,
            magnitude: Magnitude.product(magnitude, other.magnitude),
            exponent: exponent + other.exponent
        )
    }

    /// Digits of a quotient that does not end: those of a decimal of 128 bits (IEEE 754).
    static let quotientDigits = 34

    /// Returns the quotient, rounded half to even where it does not end; nil for a divisor of zero.
    func divided(by other: Self) -> Self? {
        guard !other.magnitude.isEmpty else { return nil }
        guard !magnitude.isEmpty else { return .zero }
        // Ends exactly or has at least one digit more than is kept.
        let own = Magnitude.digitCount(magnitude)
        let shift = max(0, Self.quotientDigits + 1 + Magnitude.digitCount(other.magnitude) - own)
        let (quotient, rest) = Magnitude.quotient(
            Magnitude.shifted(magnitude, by: shift),
            other.magnitude
        )
        let exact = Self(
            isNegative: isNegative != other.isNegative,
            magnitude: quotient,
            exponent: exponent - shift - other.exponent
        )
        return exact.rounded(toDigits: Self.quotientDigits, hasRest: !rest.isEmpty)
    }

    private func rounded(toDigits count: Int, hasRest: Bool) -> Self {
        let surplus = Magnitude.digitCount(magnitude) - count
        guard surplus > 0 else { return self }
        let unit = Magnitude.shifted([1], by: surplus)
        var (kept, rest) = Magnitude.quotient(magnitude, unit)
        let half = Magnitude.shifted([5], by: surplus - 1)
        let isAbove = Magnitude.precedes(half, rest) || rest == half && hasRest
        let isTie = rest == half && !hasRest
        if isAbove || isTie && (kept.first ?? 0) % 2 == 1 { kept = Magnitude.sum(kept, [1]) }
        return Self(isNegative: isNegative, magnitude: kept, exponent: exponent + surplus)
    }

    /// Returns the remainder, with the sign of this number; nil for a divisor of zero or exponents too far apart.
    func remainder(dividingBy other: Self) -> Self? {
        guard !other.magnitude.isEmpty, let (a, b, exponent) = Self.aligned(self, other) else {
            return nil
        }
        let rest = a.isEmpty ? [] : Magnitude.quotient(a, b).remainder
        return Self(isNegative: isNegative, magnitude: rest, exponent: exponent)
    }

    /// How a number is made whole.
    enum Rounding: Sendable {
        case floor, ceiling, halfAwayFromZero, halfToEven, towardZero
    }

    /// Returns the whole number beside this one.
    func rounded(_ rule: Rounding) -> Self {
        guard exponent < 0 else { return self }
        let places = -exponent
        // All digits stand far behind the point: the number is next to zero, and below one half.
        if places > Magnitude.digitCount(magnitude) + 1 {
            let isAway = rule == .floor && isNegative || rule == .ceiling && !isNegative
            let one: [UInt32] = isAway && !magnitude.isEmpty ? [1] : []
            return Self(isNegative: isNegative, magnitude: one, exponent: 0)
        }
        var (whole, rest) = Magnitude.quotient(magnitude, Magnitude.shifted([1], by: places))
        let half = Magnitude.shifted([5], by: places - 1)
        let goesAway =
            switch rule {
            case .floor: isNegative && !rest.isEmpty
            case .ceiling: !isNegative && !rest.isEmpty
            case .halfAwayFromZero: !Magnitude.precedes(rest, half)
            case .halfToEven:
                Magnitude.precedes(half, rest) || rest == half && (whole.first ?? 0) % 2 == 1
            case .towardZero: false
            }
        if goesAway { whole = Magnitude.sum(whole, [1]) }
        return Self(isNegative: isNegative, magnitude: whole, exponent: 0)
    }

    /// The number as an integer; nil where it is not whole or does not fit.
    var integer: Int64? {
        guard exponent >= 0, exponent < 20 else { return magnitude.isEmpty ? 0 : nil }
        var value: Int64 = 0
        for limb in Magnitude.shifted(magnitude, by: exponent).reversed() {
            let (high, overflow) = value.multipliedReportingOverflow(by: Int64(Self.base))
            let (next, second) = high.subtractingReportingOverflow(Int64(limb))
            guard !overflow, !second else { return nil }
            value = next
        }
        if isNegative { return value }
        let (positive, overflow) = Int64(0).subtractingReportingOverflow(value)
        return overflow ? nil : positive
    }
}
