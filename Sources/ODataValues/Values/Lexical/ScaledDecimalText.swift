/// Decimals of fixed scale as integers: the value times ten to the power of the scale.
package enum ScaledDecimalText {
    /// Reads a decimal; nil where it is none or its whole part does not fit into 64 bits at this scale.
    ///
    /// Digits beyond the scale are cut off toward minus infinity, so that the order of values stays.
    package static func parse(_ text: Span<UInt8>, scale: Int) -> (value: Int64, needsExact: Bool)?
    {
        guard let number = DecimalDigits(text) else { return nil }
        guard let significant = number.significant(of: text) else {
            return (0, !isCanonicalZero(text))
        }
        // Position after the last digit that counts, seen from the first digit.
        let unit = number.whole.count + number.exponent + scale
        guard unit - significant.lowerBound <= 19 else { return nil }
        var magnitude: UInt64 = 0
        var position = significant.lowerBound
        while position < unit {
            let digit = position < number.count ? UInt64(number.digit(position, of: text)) : 0
            let (scaled, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = scaled.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            magnitude = sum
            position += 1
        }
        let isCut = unit < significant.upperBound
        if isCut, number.isNegative { magnitude += 1 }
        return IntegerText.signed(magnitude, isNegative: number.isNegative)
            .map { ($0, isCut || !isCanonical(number, text: text)) }
    }

    /// Whether the text is the one that is written for its value: no sign but minus, no idle zeros, no exponent.
    static func isCanonical(_ number: DecimalDigits, text: Span<UInt8>) -> Bool {
        if number.hasPlus || number.hasExponent { return false }
        if number.whole.count > 1, text[number.whole.lowerBound] == 0x30 { return false }
        return number.fraction.isEmpty || text[number.fraction.upperBound - 1] != 0x30
    }

    private static func isCanonicalZero(_ text: Span<UInt8>) -> Bool {
        text.count == 1
    }

    /// Appends the number with the fewest digits.
    static func append(
        _ value: Int64,
        scale: Int,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        guard scale > 0 else { return IntegerText.append(value, to: &output) }
        if value < 0 { output.append(UInt8(ascii: "-")) }
        let power = UInt64(IntegerText.powerOfTen(min(scale, 18)))
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: power)
        IntegerText.append(whole, to: &output)
        appendFraction(rest, digits: min(scale, 18), to: &output)
    }

    /// Appends a point and the digits of a fraction without trailing zeros; nothing for zero.
    static func appendFraction(
        _ fraction: UInt64,
        digits: Int,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        guard fraction != 0 else { return }
        var fraction = fraction
        var digits = digits
        while fraction.isMultiple(of: 10) {
            fraction /= 10
            digits -= 1
        }
        output.append(UInt8(ascii: "."))
        IntegerText.append(fraction, digits: digits, to: &output)
    }
}
