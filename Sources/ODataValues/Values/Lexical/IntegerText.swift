import ODataText
package import ODataModel

/// Whole numbers: `[SIGN] 1*DIGIT` (OData ABNF `int64Value` and its kin).
package enum IntegerText {
    /// Reads a number that fills the range, nil where it is none or does not fit into 64 bits.
    static func parse(_ text: Span<UInt8>, in range: Range<Int>) -> Int64? {
        var index = range.lowerBound
        guard index < range.upperBound else { return nil }
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative || text[index] == UInt8(ascii: "+") { index += 1 }
        guard index < range.upperBound else { return nil }
        return magnitude(text, in: index..<range.upperBound)
            .flatMap { signed($0, isNegative: isNegative) }
    }

    /// Reads a number that is the whole text.
    package static func parse(_ text: Span<UInt8>) -> Int64? {
        parse(text, in: 0..<text.count)
    }

    /// Reads digits alone; nil for none, any other byte, or more than 64 bits.
    static func magnitude(_ text: Span<UInt8>, in range: Range<Int>) -> UInt64? {
        guard !range.isEmpty else { return nil }
        var value: UInt64 = 0
        for index in range {
            guard let digit = ASCII.digit(text[index]) else { return nil }
            let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = scaled.addingReportingOverflow(UInt64(digit))
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }

    /// Returns a magnitude with its sign; nil where it does not fit.
    static func signed(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
        guard isNegative else { return Int64(exactly: magnitude) }
        guard magnitude <= 1 << 63 else { return nil }
        return Int64(truncatingIfNeeded: 0 &- magnitude)
    }

    /// Appends the shortest decimal text.
    package static func append(
        _ value: Int64,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        append(value.magnitude, to: &output)
    }

    /// Appends the shortest decimal text of a magnitude.
    static func append(
        _ value: UInt64,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        let count = digitCount(value)
        append(value, digits: count, to: &output)
    }

    /// Appends exactly so many digits, with zeros in front.
    static func append(
        _ value: UInt64,
        digits: Int,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        guard digits > 8 else { return append(eightDigits(value), last: digits, to: &output) }
        let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
        append(high, digits: digits - 8, to: &output)
        append(eightDigits(low), last: 8, to: &output)
    }

    private static func append(
        _ digits: UInt64,
        last count: Int,
        to output: inout some ByteSink & ~Copyable & ~Escapable
    ) {
        let text = digits | 0x3030_3030_3030_3030
        output.append(word: text >> UInt64((8 - count) * 8), count: count)
    }

    /// The digits of a number below 10^8, one in each byte, the first in the lowest.
    ///
    /// Halves, quarters and eighths are divided side by side in one word: by 100 as times 10,486 / 2^20, by 10 as times 103 / 2^10,
    /// which is exact for numbers this small.
    static func eightDigits(_ value: UInt64) -> UInt64 {
        let halves = value / 10_000 | (value % 10_000) << 32
        let hundreds = (halves &* 10_486) >> 20 & 0x0000_007F_0000_007F
        let quarters = (halves &- hundreds &* 100) << 16 | hundreds
        let tens = (quarters &* 103) >> 10 & 0x000F_000F_000F_000F
        return (quarters &- tens &* 10) << 8 | tens
    }

    /// Returns how many decimal digits a magnitude has, 1 for zero.
    static func digitCount(_ value: UInt64) -> Int {
        switch value {
        case 0..<10: 1
        case 10..<100: 2
        case 100..<1_000: 3
        case 1_000..<10_000: 4
        case 10_000..<100_000: 5
        case 100_000..<1_000_000: 6
        case 1_000_000..<10_000_000: 7
        case 10_000_000..<100_000_000: 8
        default: 8 + digitCount(value / 100_000_000)
        }
    }

    /// Powers of ten that fit into 64 bits; exponents 0 to 18.
    static func powerOfTen(_ exponent: Int) -> Int64 {
        var power: Int64 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}

extension PrimitiveType {
    /// Whether a whole number lies in the range of the type (OData CSDL 4.01 § 3.3).
    package func holds(_ value: Int64) -> Bool {
        switch self {
        case .byte: (0...255).contains(value)
        case .sbyte: Int8(exactly: value) != nil
        case .int16: Int16(exactly: value) != nil
        case .int32: Int32(exactly: value) != nil
        default: true
        }
    }
}
