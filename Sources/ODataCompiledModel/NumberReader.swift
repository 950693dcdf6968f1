/// Reads numbers of seven bits a byte, and texts.
struct NumberReader {
    let bytes: [UInt8]
    var position: Int

    var damage: DamagedModel { DamagedModel(offset: position) }

    mutating func number() throws(DamagedModel) -> Int {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(truncatingIfNeeded: value) }
            shift += 7
        }
        throw damage
    }

    /// A number of bytes, or of things of which each takes at least a byte.
    mutating func count() throws(DamagedModel) -> Int {
        let count = try number()
        guard 0...(bytes.count - position) ~= count else { throw damage }
        return count
    }

    mutating func text(_ length: Int) throws(DamagedModel) -> String {
        guard length <= bytes.count - position else { throw damage }
        defer { position += length }
        return String(decoding: bytes[position..<position + length], as: UTF8.self)
    }
}
