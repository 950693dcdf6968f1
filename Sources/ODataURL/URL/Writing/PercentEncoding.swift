/// Writes bytes into URLs (RFC 3986 § 2).
package enum PercentEncoding {
    /// Returns a name as it stands in a path.
    static func encoded(_ name: String) -> String {
        var output: [UInt8] = []
        append(name.utf8, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

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
                output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    /// Letters, digits, and the four signs that never need encoding.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: Byte.isLetter(byte) || Byte.isDigit(byte)
        }
    }
}
