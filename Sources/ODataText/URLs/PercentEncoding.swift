/// Percent-encoding of URLs (RFC 3986 § 2.1).
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    // MARK: Encoding

    /// Returns a name as it stands in a path.
    package static func encoded(_ name: String, keeping kept: String = "") -> String {
        var output: [UInt8] = []
        append(name.utf8, keeping: kept, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends text in which everything is encoded but unreserved characters and those named.
    package static func append(
        _ text: some Sequence<UInt8>,
        keeping kept: String = "",
        to output: inout [UInt8]
    ) {
        for byte in text {
            if isUnreserved(byte) || kept.utf8.contains(byte) {
                output.append(byte)
            } else {
                appendEncoded(byte, to: &output)
            }
        }
    }

    /// Appends a byte, encoded where it is neither unreserved nor the one that is kept.
    package static func append(_ byte: UInt8, keeping kept: UInt8, to output: inout [UInt8]) {
        guard !isUnreserved(byte), byte != kept else { return output.append(byte) }
        appendEncoded(byte, to: &output)
    }

    /// Letters, digits, and the four signs that never need encoding.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: ASCII.isLetter(byte) || ASCII.isDigit(byte)
        }
    }

    /// Encodes the bytes that no URL may hold; what is encoded already stays.
    package static func completed(_ url: String) -> String {
        guard url.utf8.contains(where: mustBeEncoded) else { return url }
        var output: [UInt8] = []
        for byte in url.utf8 {
            if mustBeEncoded(byte) {
                appendEncoded(byte, to: &output)
            } else {
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Where in a URL as it was written the byte comes from that stands at an offset of the completed one.
    package static func writtenOffset(of offset: Int, in url: String) -> Int {
        var completed = 0
        for (index, byte) in url.utf8.enumerated() {
            completed += mustBeEncoded(byte) ? 3 : 1
            if completed > offset { return index }
        }
        return url.utf8.count
    }

    private static func mustBeEncoded(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x7F || "\"<>\\^`{|}#".utf8.contains(byte)
    }

    private static func appendEncoded(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 15)])
    }

    // MARK: Decoding

    /// Returns the text with its encoded bytes decoded; what is no encoding, or gives no UTF-8, stays.
    package static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        forEachByte(of: text.utf8) { byte, _ in bytes.append(byte) }
        return String(validating: bytes, as: UTF8.self) ?? String(text)
    }

    /// Calls a function with every byte that a text stands for, and whether it is encoded; a percent sign that begins no encoding is
    /// a byte like others.
    package static func forEachByte(
        of text: some Sequence<UInt8>,
        _ body: (_ byte: UInt8, _ isEncoded: Bool) -> Void
    ) {
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let encoded = octet(rest) {
                rest = rest.dropFirst(2)
                body(encoded, true)
            } else {
                body(byte, false)
            }
        }
    }

    /// The byte that the two digits behind a percent sign stand for.
    package static func octet(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count >= 2, let high = ASCII.hexDigit(digits[digits.startIndex]),
            let low = ASCII.hexDigit(digits[digits.startIndex + 1])
        else { return nil }
        return high << 4 | low
    }
}
