import ODataText

/// The names of the members of one object that is passed over, held against each other.
///
/// The first sixteen are held as short keys without an allocation, and their bytes are compared only where keys are equal; further
/// names, and names with escapes, go into a set.
struct MemberNames {
    private var keys = SIMD16<UInt32>()
    /// Places of the names that the keys belong to; none of them has escapes.
    private var starts = SIMD16<Int>()
    private var count = 0
    /// Hashes of the other names' bytes, with a random seed, so that equal hashes mean equal names.
    private var hashes: Set<Int> = []

    /// Takes a name; false where the object has one that means the same.
    ///
    /// The escapes of the name have been checked.
    mutating func insert(_ token: ByteCursor.Token, of cursor: borrowing ByteCursor) -> Bool {
        guard token.hasEscapes else {
            return cursor.withSpan(token) { insert($0, at: token.start, of: cursor) }
        }
        var name: [UInt8] = []
        cursor.withSpan(token) { _ = JSONString.unescape($0, into: &name) }
        return insert(name.span, at: nil, of: cursor)
    }

    private mutating func insert(
        _ name: Span<UInt8>,
        at place: Int?,
        of cursor: borrowing ByteCursor
    ) -> Bool {
        let key = Self.key(name)
        for index in 0..<count where keys[index] == key {
            if cursor.hasString(name, at: starts[index]) { return false }
        }
        if let place, count < keys.scalarCount {
            keys[count] = key
            starts[count] = place
            count += 1
            return hashes.isEmpty || !hashes.contains(Self.hash(name))
        }
        return hashes.insert(Self.hash(name)).inserted
    }

    /// Mixes the first and the last eight bytes: names of one object rarely differ in the middle alone.
    private static func key(_ name: Span<UInt8>) -> UInt32 {
        var word = UInt64(truncatingIfNeeded: name.count)
        if name.count >= 8 {
            unsafe name.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                let last = unsafe JSONScan.load(base, at: buffer.count - 8)
                word &+= unsafe JSONScan.load(base, at: 0) ^ (last << 29 | last >> 35)
            }
        } else {
            for index in name.indices { word = word << 8 | UInt64(name[index]) }
        }
        // Fibonacci hashing: the upper half depends on all bits.
        return UInt32(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }

    private static func hash(_ name: Span<UInt8>) -> Int {
        var hasher = Hasher()
        unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
