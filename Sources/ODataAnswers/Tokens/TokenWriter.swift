package import ODataValues

/// Puts numbers and values into the bytes of a token.
package struct TokenWriter {
    private var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ value: Int64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
        }
    }

    package mutating func write(_ text: String) {
        write(Array(text.utf8))
    }

    private mutating func write(_ data: [UInt8]) {
        write(Int64(data.count))
        bytes += data
    }

    package mutating func write(_ values: [Scalar]) {
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
    package func text(sealedFor request: String) -> String {
        var writer = TokenWriter()
        writer.write(Int64(bitPattern: TokenSeal.sum(bytes, request: request)))
        return TokenText.encoded(writer.bytes + bytes)
    }
}
