import ODataText

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

    /// A byte that an identifier may hold; what is not ASCII is looked at as a scalar elsewhere.
    package static func isName(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}
