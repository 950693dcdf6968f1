import ODataText

/// A decimal number of any size as a text whose bytes compare as the numbers do.
///
/// A store keeps decimals without fixed scale in this form, so that a plain `BINARY` comparison orders and finds them.
///
///     positive:  2 EEEEE DIGITS        1.5 is  2 50001 15
///     zero:      1
///     negative:  0 eeeee digits ~     -1.5 is  0 49998 84~
///     -INF "/"    INF "3"    NaN "4", which sorts last
///
/// The value is 0.DIGITS times ten to the power of the exponent; DIGITS begin and end with another digit than 0. EEEEE is the
/// exponent plus 50,000. For negative numbers every digit of both is its complement to nine, and a byte greater than every digit
/// ends the text, because of two numbers that begin alike the longer one is then the smaller one.
public struct DecimalText: Sendable, Hashable {
    /// The text, ASCII only.
    public let encoded: String

    /// Most significant digits that are read; enough for every type that services use (34) and for hostile input little.
    public static let maximumDigits = 1_000

    static let bias = 50_000
    private static let exponents = -49_999...49_999
    /// Leading or trailing zeros that are written out before an exponent is preferred.
    private static let zerosWrittenOut = 40

    private init(unchecked encoded: String) {
        self.encoded = encoded
    }

    /// Zero.
    public static let zero = DecimalText(unchecked: "1")
    /// Not a number, greater than every other value in order.
    public static let nan = DecimalText(unchecked: "4")
    /// Positive infinity.
    public static let infinity = DecimalText(unchecked: "3")
    /// Negative infinity.
    public static let negativeInfinity = DecimalText(unchecked: "/")
}

// MARK: - Reading

extension DecimalText {
    /// Reads a number as it is written in payloads and URLs; nil where it is none or too long.
    public init?(_ text: Span<UInt8>) {
        var bytes: [UInt8] = []
        guard Self.encode(text, into: &bytes) != nil else { return nil }
        encoded = String(decoding: bytes, as: UTF8.self)
    }

    /// Takes a text in this form, as a store gives it back; nil where it is none.
    public init?(encoded: String) {
        let bytes = Array(encoded.utf8)
        guard Self.isWellFormed(bytes) else { return nil }
        self.encoded = encoded
    }

    /// The number that an integer stands for at a scale from 0 to 18.
    public init(_ value: Int64, scale: Int = 0) {
        precondition((0...18).contains(scale), "no integer of 64 bits has such a scale")
        var text: [UInt8] = []
        ScaledDecimalText.append(value, scale: scale, to: &text)
        self = Self(text.span) ?? .zero
    }

    /// The number that the shortest text of a floating-point value says.
    public init(_ value: Double) {
        var text: [UInt8] = []
        RealText.append(value, to: &text)
        self = Self(text.span) ?? .nan
    }

    /// Appends the encoded form of a number and returns whether writing it back gives another text; nil where it is no number.
    package static func encode(_ text: Span<UInt8>, into output: inout [UInt8]) -> Bool? {
        guard let number = DecimalDigits(text) else {
            guard let special = special(text) else { return nil }
            output.append(special)
            return false
        }
        guard let significant = number.significant(of: text) else {
            output.append(0x31)
            return text.count > 1
        }
        let exponent = number.whole.count - significant.lowerBound + number.exponent
        guard significant.count <= maximumDigits, exponents.contains(exponent) else { return nil }
        let start = output.count
        output.append(number.isNegative ? 0x30 : 0x32)
        IntegerText.append(UInt64(exponent + bias), digits: 5, to: &output)
        for position in significant { output.append(0x30 &+ number.digit(position, of: text)) }
        if number.isNegative {
            for index in (start + 1)..<output.count { output[index] = 0x69 &- output[index] }
            output.append(UInt8(ascii: "~"))
        }
        if !number.hasExponent, isPlain(exponent, digits: significant.count) {
            return !ScaledDecimalText.isCanonical(number, text: text)
        }
        var written: [UInt8] = []
        append(encoded: output.span.extracting(start..<output.count), to: &written)
        return !text.isEqual(to: written.span)
    }

    private static func special(_ text: Span<UInt8>) -> UInt8? {
        if text.isEqual(to: "NaN") { return 0x34 }
        if text.isEqual(to: "INF") { return 0x33 }
        return text.isEqual(to: "-INF") ? 0x2F : nil
    }

    /// Whether a number is written without exponent.
    private static func isPlain(_ exponent: Int, digits: Int) -> Bool {
        exponent > -zerosWrittenOut && exponent - digits <= zerosWrittenOut
    }

    private static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return false }
        switch first {
        case 0x2F, 0x31, 0x33, 0x34: return bytes.count == 1
        case 0x32:
            return bytes.count > 6 && bytes[1...].allSatisfy { $0 &- 0x30 < 10 } && bytes[6] != 0x30
                && bytes[bytes.count - 1] != 0x30
        case 0x30:
            return bytes.count > 7 && bytes[bytes.count - 1] == UInt8(ascii: "~")
                && bytes[1..<(bytes.count - 1)].allSatisfy { $0 &- 0x30 < 10 } && bytes[6] != 0x39
                && bytes[bytes.count - 2] != 0x39
        default: return false
        }
    }
}

// MARK: - Writing

extension DecimalText {
    /// The number as it is written in payloads and URLs: digit by digit, an exponent only beyond 40 idle zeros.
    public var text: String {
        var output: [UInt8] = []
        append(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends the number as it is written in payloads and URLs.
    public func append(to output: inout [UInt8]) {
        Self.append(encoded: Array(encoded.utf8).span, to: &output)
    }

    /// Appends the number that an encoded text stands for; the text itself where it is none.
    package static func append(encoded: Span<UInt8>, to output: inout [UInt8]) {
        switch encoded.isEmpty ? 0 : encoded[0] {
        case 0x2F: output.append(literal: "-INF")
        case 0x31: output.append(0x30)
        case 0x33: output.append(literal: "INF")
        case 0x34: output.append(literal: "NaN")
        case 0x30 where encoded.count > 7: appendNumber(encoded, isNegative: true, to: &output)
        case 0x32 where encoded.count > 6: appendNumber(encoded, isNegative: false, to: &output)
        default: for index in encoded.indices { output.append(encoded[index]) }
        }
    }

    private static func appendNumber(
        _ encoded: Span<UInt8>,
        isNegative: Bool,
        to output: inout [UInt8]
    ) {
        func digit(_ index: Int) -> UInt8 {
            isNegative ? 0x69 &- encoded[index] : encoded[index]
        }
        var exponent = 0
        for index in 1..<6 { exponent = exponent * 10 + Int(digit(index) & 0x0F) }
        exponent -= bias
        let end = isNegative ? encoded.count - 1 : encoded.count
        let count = end - 6
        if isNegative { output.append(UInt8(ascii: "-")) }
        let isPlain = isPlain(exponent, digits: count)
        let whole = isPlain ? exponent : 1
        if whole <= 0 {
            output.append(literal: "0.")
            for _ in 0..<(-whole) { output.append(0x30) }
        }
        for position in 0..<max(count, whole) {
            if position == whole, whole > 0 { output.append(UInt8(ascii: ".")) }
            output.append(position < count ? digit(6 + position) : 0x30)
        }
        guard !isPlain else { return }
        output.append(UInt8(ascii: "e"))
        IntegerText.append(Int64(exponent - 1), to: &output)
    }

    /// Returns the number at a scale, digits beyond it cut toward minus infinity; nil where it does not fit into 64 bits.
    public func scaled(_ scale: Int) -> (value: Int64, isExact: Bool)? {
        var output: [UInt8] = []
        append(to: &output)
        guard let (value, _) = ScaledDecimalText.parse(output.span, scale: scale) else {
            return nil
        }
        return (value, DecimalText(value, scale: scale) == self)
    }
}

extension DecimalText: Comparable {
    /// Compares the numbers, which is comparing bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.encoded.utf8.lexicographicallyPrecedes(right.encoded.utf8)
    }
}

extension [UInt8] {
    /// Appends the bytes of a literal.
    package mutating func append(literal: StaticString) {
        literal.withUTF8Buffer { unsafe append(contentsOf: $0) }
    }
}
