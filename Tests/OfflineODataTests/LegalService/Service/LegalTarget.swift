/// The address of a request, taken to pieces.
struct LegalTarget {
    /// A name in a path and the key behind it.
    struct Segment {
        var name: String
        /// The literal in parentheses without the name of the key property.
        var key: String?
    }

    var segments: [Segment] = []
    var options: [String: String] = [:]

    /// Takes the part behind the service root.
    init(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        for part in (parts.first ?? "").split(separator: "/") {
            segments.append(Self.segment(Self.decoded(String(part))))
        }
        guard parts.count > 1 else { return }
        for pair in parts[1].split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            options[Self.decoded(String(sides[0]))] =
                sides.count > 1 ? Self.decoded(String(sides[1])) : ""
        }
    }

    private static func segment(_ text: String) -> Segment {
        guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else {
            return Segment(name: text)
        }
        var key = String(text[text.index(after: open)...].dropLast())
        if !key.hasPrefix("'"), let equals = key.firstIndex(of: "=") {
            key = String(key[key.index(after: equals)...])
        }
        return Segment(name: String(text[..<open]), key: key)
    }

    /// Takes percent-encoded bytes as what they stand for.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Encodes what a key must not hold in a URL.
    static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            if byte > 0x20, byte < 0x7F, !"\"#%/<>?[\\]^`{|}+&".utf8.contains(byte) {
                result.append(Character(Unicode.Scalar(byte)))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The names of `$expand`, nested options left out, and of `$select`.
    var expanded: [String] { Self.names(options["$expand"]) }
    var selected: [String]? { options["$select"].map { Self.names($0) } }

    private static func names(_ text: String?) -> [String] {
        var names: [String] = []
        var depth = 0
        var name = ""
        for character in text ?? "" {
            switch character {
            case "(": depth += 1
            case ")": depth -= 1
            case "," where depth == 0:
                names.append(name)
                name = ""
            default: if depth == 0 { name.append(character) }
            }
        }
        if !name.isEmpty { names.append(name) }
        return names
    }
}
