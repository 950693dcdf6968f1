/// Numbers the distinct names of a document, so that each becomes a `String` once and is told apart by its number.
///
/// Metadata repeats itself: types, property names, roles and sets come again and again, and two numbers compare in one
/// step where two strings do not. All bytes stand one after the other in one arena; the table holds entry numbers and
/// probes linearly.
struct SymbolTable {
    private struct Entry {
        let hash: UInt64
        let start: Int
        let count: Int
    }

    private static let wordSize = 8

    /// Different in each table, so that no document can be made whose names all fall together.
    private let seed = UInt64.random(in: .min ... .max)

    private var strings: [String] = []
    private var entries: [Entry] = []
    private var arena: [UInt8] = []
    private var table: [Int32] = Array(repeating: -1, count: 1_024)

    /// The name of a number.
    subscript(index: Int) -> String { strings[index] }

    var count: Int { strings.count }

    /// Returns the number of a name, a new one where it was not seen before.
    mutating func index(of name: String) -> Int {
        var name = name
        return name.withUTF8 { unsafe index(of: $0) }
    }

    /// Returns the number of a name in UTF-8, a new one where it was not seen before.
    @unsafe mutating func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let hash = unsafe hash(of: bytes)
        let mask = table.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while table[slot] >= 0 {
            let index = Int(table[slot])
            if entries[index].hash == hash, unsafe isEntry(index, equalTo: bytes) { return index }
            slot = (slot + 1) & mask
        }
        table[slot] = Int32(truncatingIfNeeded: entries.count)
        entries.append(Entry(hash: hash, start: arena.count, count: bytes.count))
        unsafe arena.append(contentsOf: bytes)
        unsafe strings.append(String(decoding: bytes, as: UTF8.self))
        if entries.count * 2 > table.count { grow() }
        return entries.count - 1
    }

    @unsafe private func isEntry(_ index: Int, equalTo bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = entries[index]
        guard entry.count == bytes.count else { return false }
        return unsafe arena.withUnsafeBytes { arena in
            let own = unsafe UnsafeRawBufferPointer(
                rebasing: arena[entry.start..<entry.start + entry.count]
            )
            return unsafe SymbolTable.areEqual(own, UnsafeRawBufferPointer(bytes))
        }
    }

    /// Compares as many bytes, eight at a time; both have the same count.
    @unsafe private static func areEqual(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) -> Bool {
        var offset = 0
        while offset + wordSize <= left.count {
            let one = unsafe left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let other = unsafe right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if one != other { return false }
            offset += wordSize
        }
        while offset < left.count {
            if unsafe left[offset] != right[offset] { return false }
            offset += 1
        }
        return true
    }

    private mutating func grow() {
        table = Array(repeating: -1, count: table.count * 2)
        for (index, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (table.count - 1)
            while table[slot] >= 0 { slot = (slot + 1) & (table.count - 1) }
            table[slot] = Int32(truncatingIfNeeded: index)
        }
    }

    /// A multiplicative hash over words of eight bytes, with mixing steps; names share long beginnings, all of it counts.
    @unsafe private func hash(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = seed
        var offset = 0
        while offset + SymbolTable.wordSize <= raw.count {
            let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 29
            offset += SymbolTable.wordSize
        }
        while offset < raw.count {
            hash = (hash ^ UInt64(unsafe raw[offset])) &* 0x0000_0100_0000_01b3
            offset += 1
        }
        return hash ^ (hash >> 32)
    }
}
