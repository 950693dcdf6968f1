/// Numbers the distinct byte strings of a document, so that a long name becomes a `String` once.
///
/// All bytes stand one after the other in one arena; the table holds entry numbers and probes linearly.
struct StringInterner {
    private struct Entry {
        let hash: UInt64
        let start: Int
        let count: Int
    }

    private(set) var strings: [String] = []
    private var entries: [Entry] = []
    private var arena: [UInt8] = []
    private var table: [Int32] = Array(repeating: -1, count: 256)

    subscript(index: Int) -> String { strings[index] }

    var count: Int { strings.count }

    /// Returns the number of this byte string, a new one where it was not seen before.
    @unsafe mutating func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let hash = unsafe StringInterner.hash(bytes)
        var slot = Int(truncatingIfNeeded: hash) & (table.count - 1)
        while table[slot] >= 0 {
            let index = Int(table[slot])
            if entries[index].hash == hash, unsafe isEntry(index, equalTo: bytes) { return index }
            slot = (slot + 1) & (table.count - 1)
        }
        table[slot] = Int32(truncatingIfNeeded: entries.count)
        return unsafe insert(bytes, hash: hash)
    }

    @unsafe private func isEntry(_ index: Int, equalTo bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = entries[index]
        guard entry.count == bytes.count else { return false }
        return unsafe arena.withUnsafeBufferPointer { arena in
            for offset in 0..<entry.count
            where unsafe arena[entry.start + offset] != bytes[offset] { return false }
            return true
        }
    }

    @unsafe private mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
        entries.append(Entry(hash: hash, start: arena.count, count: bytes.count))
        unsafe arena.append(contentsOf: bytes)
        unsafe strings.append(String(decoding: bytes, as: UTF8.self))
        if entries.count * 2 > table.count { grow() }
        return entries.count - 1
    }

    private mutating func grow() {
        table = Array(repeating: -1, count: table.count * 2)
        for (index, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (table.count - 1)
            while table[slot] >= 0 { slot = (slot + 1) & (table.count - 1) }
            table[slot] = Int32(truncatingIfNeeded: index)
        }
    }

    /// FNV-1a over words of eight bytes, with a last mixing step; names share long beginnings, all of it counts.
    @unsafe private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var offset = 0
        while offset + 8 <= raw.count {
            let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 29
            offset += 8
        }
        while offset < raw.count {
            hash = (hash ^ UInt64(unsafe raw[offset])) &* 0x0000_0100_0000_01b3
            offset += 1
        }
        return hash ^ (hash >> 32)
    }
}
