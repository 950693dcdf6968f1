import ODataText

/// Binary floating-point numbers: `decimalValue / "NaN" / "-INF" / "INF"` (OData ABNF `doubleValue`, `singleValue`).
package enum RealText {
    /// Reads a number rounded correctly to 64 bits; nil where it is none or too large to be finite.
    package static func parse(_ text: Span<UInt8>) -> Double? {
        guard let number = DecimalDigits(text) else { return special(text) }
        if let fast = fast(number, text: text) { return fast }
        let value = Double(string(text))
        return value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Reads a number rounded correctly to 32 bits, widened; nil where it is none or too large to be finite.
    package static func parseSingle(_ text: Span<UInt8>) -> Double? {
        guard let value = parse(text) else { return nil }
        guard value.isFinite else { return value }
        // Rounding twice differs from rounding once only where the first result lies halfway between two singles.
        let tail = value.bitPattern & 0x1FFF_FFFF
        let single =
            tail == 0x1000_0000 || value.magnitude < Double(Float.leastNormalMagnitude)
            ? Float(string(text)) : Float(value)
        return single.flatMap { $0.isFinite ? Double($0) : nil }
    }

    private static func special(_ text: Span<UInt8>) -> Double? {
        if text.isEqual(to: "NaN") { return .nan }
        if text.isEqual(to: "INF") { return .infinity }
        return text.isEqual(to: "-INF") ? -.infinity : nil
    }

    private static func string(_ text: Span<UInt8>) -> String {
        var string = ""
        for index in text.indices { string.unicodeScalars.append(Unicode.Scalar(text[index])) }
        return string
    }
}

// MARK: - Exact arithmetic in 128 bits

extension RealText {
    /// Powers of five up to the largest that fits into 64 bits.
    private static let largestExponent = 27

    private static func powerOfFive(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power &*= 5 }
        return power
    }

    /// Converts numbers of at most 19 digits whose power of ten is within ±27, which is nearly all there are.
    ///
    /// The digits as an integer times or divided by a power of five is exact in 128 bits (with a remainder), so that one
    /// rounding gives the nearest number.
    private static func fast(_ number: DecimalDigits, text: Span<UInt8>) -> Double? {
        guard number.count <= 19 else { return nil }
        var digits: UInt64 = 0
        for index in number.whole { digits = digits &* 10 &+ UInt64(text[index] &- 0x30) }
        for index in number.fraction { digits = digits &* 10 &+ UInt64(text[index] &- 0x30) }
        let exponent = number.exponent - number.fraction.count
        let sign: FloatingPointSign = number.isNegative ? .minus : .plus
        guard digits != 0 else { return sign == .minus ? -0.0 : 0.0 }
        guard abs(exponent) <= largestExponent else { return nil }
        if digits >> 53 == 0, abs(exponent) <= 22 {
            // Both operands are exact, so the processor's one operation rounds correctly.
            let power =
                Double(powerOfFive(abs(exponent))) * Double(UInt64(1) << UInt64(abs(exponent)))
            let value = exponent < 0 ? Double(digits) / power : Double(digits) * power
            return sign == .minus ? -value : value
        }
        let value = scaled(digits, exponent: exponent)
        return sign == .minus ? -value : value
    }

    /// Returns `digits * 10^exponent`, rounded once to the nearest, ties to even.
    private static func scaled(_ digits: UInt64, exponent: Int) -> Double {
        let shift = digits.leadingZeroBitCount
        let normalized = digits << UInt64(shift)
        let power = powerOfFive(abs(exponent))
        var high: UInt64
        var sticky: Bool
        var binaryExponent: Int
        if exponent >= 0 {
            let product = normalized.multipliedFullWidth(by: power)
            high = product.high
            sticky = product.low != 0
            binaryExponent = 64 - shift + exponent
            let lead = high.leadingZeroBitCount
            if lead > 0 {
                // At least the bits of the full-width product are kept: shift them in from below.
                high =
                    lead == 64
                    ? product.low : high << UInt64(lead) | product.low >> UInt64(64 - lead)
                sticky = lead < 64 && product.low << UInt64(lead) != 0
                binaryExponent -= lead
            }
        } else {
            let powerShift = power.leadingZeroBitCount
            let divisor = power << UInt64(powerShift)
            // The dividend is half of the digits, so that the quotient fits: high part below 2^63, divisor at least 2^63.
            let division = divisor.dividingFullWidth((normalized >> 1, normalized << 63))
            high = division.quotient
            sticky = division.remainder != 0
            binaryExponent = 1 - shift - 64 + powerShift + exponent
            let lead = high.leadingZeroBitCount
            if lead > 0 {
                // A bit that is shifted in is the next of the quotient: twice the remainder against the divisor.
                high <<= 1
                let (twice, overflow) = division.remainder.addingReportingOverflow(
                    division.remainder
                )
                if overflow || twice >= divisor {
                    high |= 1
                    sticky = twice &- divisor != 0
                }
                binaryExponent -= 1
            }
        }
        return rounded(high, sticky: sticky, binaryExponent: binaryExponent)
    }

    /// Rounds 64 leading bits and what follows them to 53.
    private static func rounded(_ bits: UInt64, sticky: Bool, binaryExponent: Int) -> Double {
        let tail = bits & 0x7FF
        var significand = bits >> 11
        if tail > 0x400 || (tail == 0x400 && (sticky || significand & 1 == 1)) { significand += 1 }
        return Double(sign: .plus, exponent: binaryExponent + 11, significand: Double(significand))
    }
}

// MARK: - Writing

extension RealText {
    /// Appends the shortest text that reads back as the same value; `scratch` holds digits on their way and keeps its memory.
    package static func append(
        _ value: Double,
        to output: inout some ByteSink & ~Copyable & ~Escapable,
        scratch: inout String
    ) {
        if appendSpecial(value, to: &output) || appendShort(value, to: &output) { return }
        scratch.removeAll(keepingCapacity: true)
        value.write(to: &scratch)
        appendDescription(scratch, to: &output)
    }

    /// Appends the shortest text that reads back as the same value.
    static func append(
        _ value: Double,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        var scratch = ""
        append(value, to: &output, scratch: &scratch)
    }

    /// Appends the shortest text that reads back as the same value of 32 bits.
    package static func appendSingle(
        _ value: Double,
        to output: inout some ByteSink & ~Copyable & ~Escapable,
        scratch: inout String
    ) {
        if appendSpecial(value, to: &output) { return }
        if value.magnitude < 16_777_216, Double(Int64(value)) == value {
            return IntegerText.append(Int64(value), to: &output)
        }
        scratch.removeAll(keepingCapacity: true)
        Float(value).write(to: &scratch)
        appendDescription(scratch, to: &output)
    }

    private static func appendSpecial(
        _ value: Double,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) -> Bool {
        if value.isNaN {
            output.append(short: "NaN")
        } else if value.isInfinite {
            output.append(short: value < 0 ? "-INF" : "INF")
        } else if value == 0 {
            output.append(short: value.sign == .minus ? "-0" : "0")
        } else {
            return false
        }
        return true
    }

    /// Appends values that are a whole number of at most 15 digits over a small power of ten.
    ///
    /// Of such a number there is only one decimal with at most 15 digits, so that any that is found is the shortest.
    package static func appendShort(
        _ value: Double,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) -> Bool {
        for (digits, power) in shortScales {
            let scaled = value * power
            guard scaled.magnitude < 1e15 else { continue }
            let nearest = Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
            if Double(nearest) / power == value {
                ScaledDecimalText.append(nearest, scale: digits, to: &output)
                return true
            }
        }
        return false
    }

    /// Scales in the order in which they are tried: a larger one finds what a smaller one would, with zeros that are not written.
    private static let shortScales: [(digits: Int, power: Double)] = [
        (0, 1), (3, 1e3), (6, 1e6), (9, 1e9), (10, 1e10), (8, 1e8), (7, 1e7), (5, 1e5), (4, 1e4),
        (2, 1e2), (1, 1e1),
    ]

    /// Appends Swift's shortest text without an idle `.0` and without the plus sign, which a URL would have to escape.
    private static func appendDescription(
        _ text: String,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        let isWhole = text.utf8.suffix(2).elementsEqual(".0".utf8)
        for byte in text.utf8.dropLast(isWhole ? 2 : 0) where byte != UInt8(ascii: "+") {
            output.append(byte)
        }
    }
}
