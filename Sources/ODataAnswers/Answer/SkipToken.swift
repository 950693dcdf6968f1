import ODataProtocol
import ODataTables

/// Where the next page of a result begins, as text for a link: nobody but this service reads it.
///
/// It carries a checksum over itself and the request, so that a token of another request or an altered one is refused.
enum SkipToken {
    /// Writes a position.
    static func text(_ page: TableQuery.Page, watermark: Int64?, for request: String) -> String {
        var writer = TokenWriter()
        writer.write(watermark ?? -1)
        writer.write(Int64(page.offset))
        writer.write(Int64(page.size ?? -1))
        writer.write(page.position ?? [])
        return writer.text(sealedFor: request)
    }

    /// Reads a position.
    ///
    /// - Throws: `ServiceError` 400 where the text is none of this request.
    static func page(
        _ text: String,
        for request: String
    ) throws -> (TableQuery.Page, watermark: Int64?) {
        guard var reader = TokenReader(text, sealedFor: request), let watermark = reader.integer(),
            let offset = reader.integer(),
            let size = reader.integer(), let position = reader.scalars(), reader.isAtEnd,
            offset >= 0
        else {
            throw ServiceError(400, "the $skiptoken is not one that this request was given")
        }
        let page = TableQuery.Page(
            size: size < 0 ? nil : Int(clamping: size),
            position: position.isEmpty ? nil : position,
            offset: Int(clamping: offset)
        )
        return (page, watermark < 0 ? nil : watermark)
    }
}

/// Puts numbers and values into the bytes of a token.
struct TokenWriter {
    private var bytes: [UInt8] = []

    mutating func write(_ value: Int64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
        }
    }

    mutating func write(_ text: String) {
        write(Array(text.utf8))
    }

    private mutating func write(_ data: [UInt8]) {
        write(Int64(data.count))
        bytes += data
    }

    mutating func write(_ values: [Scalar]) {
        write(Int64(values.count))
        for value in values {
            switch value {
            case .null: bytes.append(0)
            case .integer(let number): bytes.append(1); write(number)
            case .real(let number): bytes.append(2); write(Int64(bitPattern: number.bitPattern))
            case .text(let text): bytes.append(3); write(text)
            case .blob(let blob): bytes.append(4); write(blob)
            }
        }
    }

    /// The token in letters that a URL takes as they are, with its checksum.
    func text(sealedFor request: String) -> String {
        var writer = TokenWriter()
        writer.write(Int64(bitPattern: TokenSeal.sum(bytes, request)))
        return TokenText.encoded(writer.bytes + bytes)
    }
}

/// Takes numbers and values out of the bytes of a token.
struct TokenReader {
    private let bytes: [UInt8]
    private var index = 8

    /// Decodes a token; nil where it is damaged or belongs to another request.
    init?(_ text: String, sealedFor request: String) {
        guard let bytes = TokenText.decoded(text), bytes.count >= 8 else { return nil }
        self.bytes = bytes
        var first = self
        first.index = 0
        guard let sum = first.integer(),
            UInt64(bitPattern: sum) == TokenSeal.sum(Array(bytes.dropFirst(8)), request)
        else { return nil }
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func integer() -> Int64? {
        guard index + 8 <= bytes.count else { return nil }
        var value: UInt64 = 0
        for offset in 0..<8 { value |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
        index += 8
        return Int64(bitPattern: value)
    }

    mutating func string() -> String? {
        data().flatMap { String(validating: $0, as: UTF8.self) }
    }

    private mutating func data() -> [UInt8]? {
        guard let count = integer(), let length = Int(exactly: count), length >= 0,
            length <= bytes.count - index
        else { return nil }
        defer { index += length }
        return Array(bytes[index..<index + length])
    }

    mutating func scalars() -> [Scalar]? {
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

/// The checksum of a token: FNV-1a over its bytes and the request that it belongs to.
///
/// It finds damage and mix-ups; values of a forged token still only become parameters of the same query.
enum TokenSeal {
    static func sum(_ bytes: [UInt8], _ request: String) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in request.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return sum
    }
}

/// Tokens as base64url (RFC 4648 § 5).
enum TokenText {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    static func encoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - group.count))
            for position in 0...group.count {
                text.append(alphabet[Int(bits >> UInt32(18 - 6 * position) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for letter in text.utf8 {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
