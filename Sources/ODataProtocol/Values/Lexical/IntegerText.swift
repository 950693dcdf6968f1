import ODataModel

/// Whole numbers: `[SIGN] 1*DIGIT` (OData ABNF `int64Value` and its kin).
enum IntegerText {
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
    static func parse(_ text: Span<UInt8>) -> Int64? {
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

    /// Whether a value lies in the range of an Edm type (OData CSDL 4.01 § 3.3).
    static func fits(_ value: Int64, _ type: PrimitiveType) -> Bool {
        switch type {
        case .byte: (0...255).contains(value)
        case .sbyte: Int8(exactly: value) != nil
        case .int16: Int16(exactly: value) != nil
        case .int32: Int32(exactly: value) != nil
        default: true
        }
    }

    /// Appends the shortest decimal text.
    static func append(_ value: Int64, to output: inout [UInt8]) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        append(value.magnitude, to: &output)
    }

    /// Appends the shortest decimal text of a magnitude.
    static func append(_ value: UInt64, to output: inout [UInt8]) {
        let count = digitCount(value)
        append(value, digits: count, to: &output)
    }

    /// Appends exactly so many digits, with zeros in front.
    static func append(_ value: UInt64, digits: Int, to output: inout [UInt8]) {
        let start = output.count
        for _ in 0..<digits { output.append(0x30) }
        var rest = value
        var index = start + digits
        while rest != 0, index > start {
            index -= 1
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
            output[index] = 0x30 &+ UInt8(truncatingIfNeeded: remainder)
            rest = quotient
        }
    }

    /// Returns how many decimal digits a magnitude has, 1 for zero.
    static func digitCount(_ value: UInt64) -> Int {
        var count = 1
        var limit: UInt64 = 10
        while value >= limit {
            count += 1
            let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
            if overflow { break }
            limit = next
        }
        return count
    }

    /// Powers of ten that fit into 64 bits; exponents 0 to 18.
    static func powerOfTen(_ exponent: Int) -> Int64 {
        var power: Int64 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}
