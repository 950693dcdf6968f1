import ODataText

/// A decimal number as it is written: `[SIGN] 1*DIGIT [ "." 1*DIGIT ] [ "e" [SIGN] 1*DIGIT ]` (OData ABNF `decimalValue`).
///
/// Holds places in the text, not digits, so that reading a number allocates nothing.
package struct DecimalDigits {
    var isNegative: Bool
    /// Whether a plus sign was written.
    var hasPlus = false
    /// Places of the digits before the point.
    package var whole: Range<Int>
    /// Places of the digits after the point; empty where there is none.
    var fraction: Range<Int>
    /// The written exponent, held within ±`exponentLimit`.
    package var exponent: Int
    /// Whether an exponent was written.
    var hasExponent: Bool

    /// Exponents beyond are as good as infinite for every type.
    static let exponentLimit = 1_000_000

    /// Reads a number that is the whole text; nil where it is none.
    package init?(_ text: Span<UInt8>) {
        let end = text.count
        var index = 0
        isNegative = end > 0 && text[0] == UInt8(ascii: "-")
        hasPlus = end > 0 && text[0] == UInt8(ascii: "+")
        if isNegative || hasPlus { index = 1 }
        whole = Self.digits(text, from: index)
        guard !whole.isEmpty else { return nil }
        index = whole.upperBound
        fraction = index..<index
        if index < end, text[index] == UInt8(ascii: ".") {
            fraction = Self.digits(text, from: index + 1)
            guard !fraction.isEmpty else { return nil }
            index = fraction.upperBound
        }
        hasExponent = index < end && text[index] | 0x20 == UInt8(ascii: "e")
        exponent = 0
        if hasExponent {
            guard let read = Self.exponent(text, from: index + 1) else { return nil }
            exponent = read
            index = end
        }
        guard index == end else { return nil }
    }

    /// The number of digits in all.
    var count: Int { whole.count + fraction.count }

    /// Returns the digit at a position among all digits.
    func digit(_ position: Int, of text: Span<UInt8>) -> UInt8 {
        let index =
            position < whole.count
            ? whole.lowerBound + position : fraction.lowerBound + position - whole.count
        return text[index] &- 0x30
    }

    /// Returns the positions of the first digit that is not zero and after the last one; nil for zero.
    package func significant(of text: Span<UInt8>) -> Range<Int>? {
        var first = 0
        while first < count, digit(first, of: text) == 0 { first += 1 }
        guard first < count else { return nil }
        var end = count
        while digit(end - 1, of: text) == 0 { end -= 1 }
        return first..<end
    }

    private static func digits(_ text: Span<UInt8>, from start: Int) -> Range<Int> {
        var end = start
        while end < text.count, text[end] &- 0x30 < 10 { end += 1 }
        return start..<end
    }

    private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        guard index < text.count else { return nil }
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative || text[index] == UInt8(ascii: "+") { index += 1 }
        guard index < text.count else { return nil }
        var value = 0
        while index < text.count {
            guard let digit = ASCII.digit(text[index]) else { return nil }
            value = min(value * 10 + digit, exponentLimit)
            index += 1
        }
        return isNegative ? -value : value
    }
}
