/// Reads the pieces that HTTP field values are made of (RFC 9110 § 5.6), from UTF-8 bytes.
struct HTTPFieldScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// The byte that comes next, nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 { position += 1 }
    }

    /// Takes one character if it comes next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = next, UInt32(byte) == character.value else { return false }
        position += 1
        return true
    }

    /// Takes bytes up to one that does not fit; nil where there are none.
    mutating func take(while fits: (UInt8) -> Bool) -> String? {
        let start = position
        while let byte = next, fits(byte) { position += 1 }
        guard position > start else { return nil }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    mutating func takeToken() -> String? {
        take(while: Self.isTokenByte)
    }

    /// A string in quotes, escapes taken away; nil and nothing taken where it is none.
    mutating func takeQuotedString() -> String? {
        let start = position
        guard take("\"") else { return nil }
        var value: [UInt8] = []
        while let byte = next {
            position += 1
            if byte == 0x22 { return String(decoding: value, as: UTF8.self) }
            if byte == 0x5C, let escaped = next {
                position += 1
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        position = start
        return nil
    }

    /// Passes over a list element that cannot be read, up to the next comma outside of quotes.
    mutating func skipElement() {
        while let byte = next, byte != 0x2C {
            if byte == 0x22, takeQuotedString() != nil { continue }
            position += 1
        }
    }

    /// RFC 9110 § 5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Returns a text as a token where it is one, else in quotes.
    static func quotedWhereNeeded(_ text: String) -> String {
        guard text.isEmpty || !text.utf8.allSatisfy(isTokenByte) else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
