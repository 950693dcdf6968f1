/// Strings of JSON (RFC 8259 § 7).
package enum JSONString {
    /// Appends UTF-8 text in quotation marks; runs that need no escape are copied at once.
    package static func append(_ text: Span<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        appendEscaped(text, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// Appends UTF-8 text as it stands between quotation marks.
    package static func appendEscaped(_ text: Span<UInt8>, to output: inout [UInt8]) {
        var start = 0
        while start < text.count {
            let end = JSONScan.firstToEscape(in: text, from: start)
            append(text, in: start..<end, to: &output)
            guard end < text.count else { return }
            appendEscape(of: text[end], to: &output)
            start = end + 1
        }
    }

    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            output.append(contentsOf: "u00".utf8)
            output.append(ASCII.hexCharacter(byte >> 4))
            output.append(ASCII.hexCharacter(byte & 0x0F))
        }
    }

    /// Appends what an escaped text stands for; the offset of an escape that stands for no character, nil where all is well.
    package static func unescape(_ text: Span<UInt8>, into output: inout [UInt8]) -> Int? {
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\") else {
                var end = index + 1
                while end < text.count, text[end] != UInt8(ascii: "\\") { end += 1 }
                append(text, in: index..<end, to: &output)
                index = end
                continue
            }
            let start = index
            guard appendUnescaped(text, at: &index, to: &output) else { return start }
        }
        return nil
    }

    private static func appendUnescaped(
        _ text: Span<UInt8>,
        at index: inout Int,
        to output: inout [UInt8]
    ) -> Bool {
        guard index + 1 < text.count else { return false }
        let letter = text[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(letter)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = unicodeEscape(text, at: &index) else { return false }
            appendUTF8(scalar, to: &output)
        default: return false
        }
        return true
    }

    /// Reads the digits of `\uXXXX`, and of a second one that completes a surrogate pair.
    private static func unicodeEscape(_ text: Span<UInt8>, at index: inout Int) -> Unicode.Scalar? {
        guard let first = fourDigits(text, at: &index) else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard text.starts(with: "\\u", at: index) else { return nil }
        index += 2
        guard let second = fourDigits(text, at: &index), (0xDC00..<0xE000).contains(second) else {
            return nil
        }
        return Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func fourDigits(_ text: Span<UInt8>, at index: inout Int) -> UInt32? {
        guard text.count - index >= 4 else { return nil }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = ASCII.hexDigit(text[index]) else { return nil }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private static func append(
        _ text: Span<UInt8>,
        in range: Range<Int>,
        to output: inout [UInt8]
    ) {
        unsafe text.extracting(range).withUnsafeBufferPointer {
            unsafe output.append(contentsOf: $0)
        }
    }

    private static func appendUTF8(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        output.append(contentsOf: scalar.utf8)
    }
}
