/// Reads numbers of seven bits a byte, the lowest first.
struct NumberReader {
    let bytes: [UInt8]
    private(set) var position: Int
    /// Where what may be read ends.
    private var end: Int

    init(_ bytes: [UInt8], from position: Int) {
        (self.bytes, self.position, end) = (bytes, position, bytes.count)
    }

    var isAtEnd: Bool { position == end }

    var damage: DamagedModel { DamagedModel(offset: position) }

    mutating func number() throws(DamagedModel) -> Int {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < end, shift < 64 {
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
        guard 0...(end - position) ~= count else { throw damage }
        return count
    }

    /// Goes beyond a number of bytes, and returns what reads these alone.
    mutating func passOver(_ count: Int) throws(DamagedModel) -> Self {
        guard count <= end - position else { throw damage }
        var part = self
        position += count
        part.end = position
        return part
    }
}
