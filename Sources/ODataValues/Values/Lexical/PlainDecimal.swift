import ODataText

/// Decimals as versions 1 to 3 write them: digits with a point, without an exponent or a plus sign (OData 2.0 ABNF `decimalLiteral`).
package enum PlainDecimal {
    /// More digits than this are not written out.
    private static let maximumExponent = 400

    /// Returns the plain text of a number; nil where it is plain already, or no number.
    package static func text(_ text: Span<UInt8>) -> [UInt8]? {
        var bytes = text.copied()
        guard bytes.contains(where: { $0 | 0x20 == UInt8(ascii: "e") || $0 == UInt8(ascii: "+") })
        else { return nil }
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        let parts = bytes.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        guard let mantissa = parts.first,
            let exponent = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0,
            abs(exponent) <= maximumExponent
        else { return nil }
        let halves = mantissa.split(
            separator: UInt8(ascii: "."),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let digits = halves.flatMap { Array($0) }
        guard !digits.isEmpty, digits.allSatisfy({ ASCII.digit($0) != nil }) else { return nil }
        let plain = placed(digits, pointAfter: halves[0].count + exponent)
        return isNegative ? [UInt8(ascii: "-")] + plain : plain
    }

    /// Puts the point behind so many digits, with zeros where there are none.
    private static func placed(_ digits: [UInt8], pointAfter count: Int) -> [UInt8] {
        let zero = UInt8(ascii: "0")
        var whole = Array(digits.prefix(max(0, count)))
        whole += Array(repeating: zero, count: max(0, count - digits.count))
        var fraction = Array(repeating: zero, count: max(0, -count))
        fraction += digits.dropFirst(max(0, count))
        while whole.count > 1, whole.first == zero { whole.removeFirst() }
        if whole.isEmpty { whole = [zero] }
        return fraction.isEmpty ? whole : whole + [UInt8(ascii: ".")] + fraction
    }
}
