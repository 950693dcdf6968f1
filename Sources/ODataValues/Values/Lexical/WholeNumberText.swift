import ODataText

/// Whole numbers in the forms that JSON allows beside plain digits: `2.0`, `1e2`, `1.50e2` (RFC 8259 § 6; OData JSON 4.01 § 7.1).
package enum WholeNumberText {
    /// More digits than the widest integer has; a number of more is none of the model's.
    private static let maximumDigits = 20

    /// Returns the plain digits of a number that has a fraction or an exponent; nil where it has neither, or is not whole.
    package static func plain(_ text: Span<UInt8>) -> [UInt8]? {
        guard let number = Parts(text) else { return nil }
        var digits = Array(number.digits.drop { $0 == UInt8(ascii: "0") })
        if digits.isEmpty { return [UInt8(ascii: "0")] }
        if number.shift < 0 {
            let fraction = digits.suffix(-number.shift)
            guard fraction.count < digits.count, fraction.allSatisfy({ $0 == UInt8(ascii: "0") })
            else { return nil }
            digits.removeLast(fraction.count)
        } else {
            guard number.shift <= maximumDigits else { return nil }
            digits += Array(repeating: UInt8(ascii: "0"), count: number.shift)
        }
        guard digits.count <= maximumDigits else { return nil }
        return number.isNegative ? [UInt8(ascii: "-")] + digits : digits
    }

    /// Returns the plain digits of a number as `plain` does.
    package static func plain(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        return plain(bytes.span).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A number with a fraction or an exponent, taken apart.
    private struct Parts {
        var isNegative = false
        /// Those before and behind the point.
        var digits: [UInt8] = []
        /// By how many places the point stands behind the digits.
        var shift = 0

        init?(_ text: Span<UInt8>) {
            var index = 0
            if text.count > 0, text[0] == UInt8(ascii: "-") { (isNegative, index) = (true, 1) }
            let first = index
            take(text, &index)
            guard index > first else { return nil }
            let isPlain = index == text.count
            if index < text.count, text[index] == UInt8(ascii: ".") {
                index += 1
                let fraction = index
                take(text, &index)
                guard index > fraction else { return nil }
                shift = fraction - index
            }
            guard !isPlain, takeExponent(text, &index), index == text.count else { return nil }
        }

        private mutating func take(_ text: Span<UInt8>, _ index: inout Int) {
            while index < text.count, ASCII.digit(text[index]) != nil {
                digits.append(text[index])
                index += 1
            }
        }

        /// Takes an exponent, if there is one; false where it is malformed or beyond any integer.
        private mutating func takeExponent(_ text: Span<UInt8>, _ index: inout Int) -> Bool {
            guard index < text.count, text[index] | 0x20 == UInt8(ascii: "e") else { return true }
            let exponent = text.extracting((index + 1)..<text.count)
            guard let value = IntegerText.parse(exponent), (-1_000...1_000).contains(value) else {
                return false
            }
            shift += Int(value)
            index = text.count
            return true
        }
    }
}
