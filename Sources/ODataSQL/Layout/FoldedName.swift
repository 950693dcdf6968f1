/// A name as SQLite compares it: byte by byte, the case of ASCII letters folded.
struct FoldedName: Hashable {
    private let bytes: [UInt8]
    /// Worked out on the way: the largest models have tens of thousands of names, and a hash table that asks byte by byte is slow.
    private let hash: UInt64

    init(_ name: String) {
        // FNV-1a.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        bytes = name.utf8.map { byte in
            let folded = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            hash = (hash ^ UInt64(folded)) &* 0x100_0000_01B3
            return folded
        }
        self.hash = hash
    }

    func starts(with folded: String) -> Bool { bytes.starts(with: folded.utf8) }

    static func == (left: Self, right: Self) -> Bool {
        left.hash == right.hash && left.bytes == right.bytes
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
