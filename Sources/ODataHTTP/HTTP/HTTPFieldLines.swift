/// Header fields put together from their lines (RFC 9112 § 5).
package struct HTTPFieldLines {
    private var fields: [HTTPHeaders.Field] = []

    /// Whether a name with white space before its colon is none (RFC 9112 § 5.1): requests with it are refused, since others on the way
    /// may have read it in another way; of answers it is taken away.
    private let isStrict: Bool

    package init(isStrict: Bool = false) {
        self.isStrict = isStrict
    }

    /// The fields so far.
    package var headers: HTTPHeaders { HTTPHeaders(fields) }

    /// Takes a line without its end.
    ///
    /// A line that begins with white space goes on with the field before (RFC 9112 § 5.2).
    ///
    /// - Returns: Whether it is a field or a part of one; another line changes nothing.
    @discardableResult
    package mutating func add(_ line: ArraySlice<UInt8>) -> Bool {
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            guard var last = fields.popLast() else { return false }
            last.value += " " + Self.text(line)
            fields.append(last)
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            return false
        }
        guard !isStrict || !Self.isBlank(line[colon - 1]) else { return false }
        let name = Self.text(line[..<colon])
        guard name.utf8.allSatisfy(HTTPFieldScanner.isTokenByte) else { return false }
        fields.append(.init(name: name, value: Self.text(line[(colon + 1)...])))
        return true
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: trimmed(bytes), as: UTF8.self)
    }

    /// Returns a line or value without the white space around it.
    package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return bytes[start..<end]
    }

    /// Space, tab, and what ends a line.
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
