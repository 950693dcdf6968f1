/// Reads the JSON of request bodies; nil where it is none.
struct LegalValueReader {
    private let bytes: [UInt8]
    private var position = 0

    static func read(_ bytes: [UInt8]) -> LegalValue? {
        var reader = LegalValueReader(bytes: bytes)
        let value = reader.value()
        reader.skipSpace()
        return reader.position == bytes.count ? value : nil
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() -> LegalValue? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return list()
        case UInt8(ascii: "\""): return string().map { .string($0) }
        default: return word()
        }
    }

    private mutating func object() -> LegalValue? {
        guard take("{") else { return nil }
        var members: [LegalValue.Member] = []
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            guard let name = string(), take(":"), let value = value() else { return nil }
            members.append(.init(name: name, value: value))
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func list() -> LegalValue? {
        guard take("[") else { return nil }
        if take("]") { return .list([]) }
        var items: [LegalValue] = []
        repeat {
            guard let item = value() else { return nil }
            items.append(item)
        } while take(",")
        return take("]") ? .list(items) : nil
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                text += escaped
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> [UInt8]? {
        guard let byte = next else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            guard position + 4 <= bytes.count else { return nil }
            let digits = String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
            position += 4
            guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
                return nil
            }
            return Array(String(Character(scalar)).utf8)
        default: return [byte]
        }
    }

    private mutating func word() -> LegalValue? {
        let start = position
        while let byte = next, !",]} \n\r\t".utf8.contains(byte) { position += 1 }
        switch String(decoding: bytes[start..<position], as: UTF8.self) {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case let text where Double(text) != nil: return .number(text)
        default: return nil
        }
    }
}
