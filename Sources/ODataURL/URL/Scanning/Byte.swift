/// What bytes of a URL are called in the grammar.
package enum Byte {
    package static let tab = UInt8(ascii: "\t")
    package static let space = UInt8(ascii: " ")
    package static let quote = UInt8(ascii: "'")
    package static let doubleQuote = UInt8(ascii: "\"")
    package static let open = UInt8(ascii: "(")
    package static let close = UInt8(ascii: ")")
    package static let comma = UInt8(ascii: ",")
    package static let colon = UInt8(ascii: ":")
    package static let semicolon = UInt8(ascii: ";")
    package static let equals = UInt8(ascii: "=")
    package static let slash = UInt8(ascii: "/")
    package static let backslash = UInt8(ascii: "\\")
    package static let star = UInt8(ascii: "*")
    package static let dot = UInt8(ascii: ".")
    package static let minus = UInt8(ascii: "-")
    package static let plus = UInt8(ascii: "+")
    package static let at = UInt8(ascii: "@")
    package static let hash = UInt8(ascii: "#")
    package static let dollar = UInt8(ascii: "$")

    package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    package static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26
    }

    /// A byte that an identifier may hold; what is not ASCII is looked at as a scalar elsewhere.
    package static func isName(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    package static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    package static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
