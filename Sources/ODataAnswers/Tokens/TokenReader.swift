package import ODataValues

/// Takes numbers and values out of the bytes of a token.
package struct TokenReader {
    private let bytes: [UInt8]
    private var index = 8

    /// Decodes a token; nil where it is damaged or belongs to another request.
    package init?(_ text: String, sealedFor request: String) {
        guard let bytes = TokenText.decoded(text), bytes.count >= 8 else { return nil }
        self.bytes = bytes
        var first = self
        first.index = 0
        guard let sum = first.integer(),
            UInt64(bitPattern: sum) == TokenSeal.sum(Array(bytes.dropFirst(8)), request: request)
        else { return nil }
    }

    package var isAtEnd: Bool { index == bytes.count }

    package mutating func integer() -> Int64? {
        guard index + 8 <= bytes.count else { return nil }
        var value: UInt64 = 0
        for offset in 0..<8 { value |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
        index += 8
        return Int64(bitPattern: value)
    }

    package mutating func string() -> String? {
        data().flatMap { String(validating: $0, as: UTF8.self) }
    }

    private mutating func data() -> [UInt8]? {
        guard let count = integer(), let length = Int(exactly: count), length >= 0,
            length <= bytes.count - index
        else { return nil }
        defer { index += length }
        return Array(bytes[index..<index + length])
    }

    package mutating func scalars() -> [Scalar]? {
        guard let count = integer(), count >= 0, count <= bytes.count else { return nil }
        var values: [Scalar] = []
        for _ in 0..<count {
            guard let value = scalar() else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func scalar() -> Scalar? {
        guard index < bytes.count else { return nil }
        let tag = bytes[index]
        index += 1
        switch tag {
        case 0: return .null
        case 1: return integer().map { .integer($0) }
        case 2: return integer().map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
        case 3: return string().map { .text($0) }
        case 4: return data().map { .blob($0) }
        default: return nil
        }
    }
}
