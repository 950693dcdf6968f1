/// The grammar of numbers in JSON (RFC 8259 § 6).
enum JSONNumber {
    /// Whether a whole text is a number.
    static func isWhole(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let isZero = rest.first == UInt8(ascii: "0")
        let whole = takeDigits(&rest)
        guard whole > 0, !isZero || whole == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard takeDigits(&rest) > 0 else { return false }
        }
        guard let letter = rest.first else { return true }
        guard [UInt8(ascii: "e"), UInt8(ascii: "E")].contains(letter) else { return false }
        rest.removeFirst()
        if let sign = rest.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign) {
            rest.removeFirst()
        }
        return takeDigits(&rest) > 0 && rest.isEmpty
    }

    private static func takeDigits(_ rest: inout Substring.UTF8View) -> Int {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.count
    }
}
