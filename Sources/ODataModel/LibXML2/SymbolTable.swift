/// Numbers the distinct names of a document, so that they are told apart by their numbers.
///
/// Metadata repeats itself: types, property names, roles and sets come again and again, and two numbers compare in one
/// step where two strings do not. All bytes stand one after the other in one arena; a slot of the hash table holds half of
/// the hash and the entry's number plus one, so that a miss does not leave the table; probing is linear. A `String` is
/// made when it is asked for, and then kept.
struct SymbolTable {
    /// Where the bytes of a name are; documents are smaller than 2 GB.
    private struct Entry {
        let start: Int32
        let count: Int32
    }

    private static let wordSize = 8
    private static let numberMask: UInt64 = 0xFFFF_FFFF

    private var entries: [Entry] = []
    private var strings: [String] = []
    private var arena: [UInt8] = []
    private var table: [UInt64]
    private var scratch: [UInt8] = []
    /// Different in each table, so that no document can be made whose names all fall together.
    private let seed = UInt64.random(in: .min ... .max)

    /// Makes a table for the names of a document; the smaller it is, the more of it stays in the cache.
    init(documentByteCount: Int = 0) {
        let wanted = min(documentByteCount / 200, 1 << 17)
        var count = 1_024
        while count < wanted { count *= 2 }
        table = Array(repeating: 0, count: count)
        entries.reserveCapacity(count / 2)
        strings.reserveCapacity(count / 2)
        arena.reserveCapacity(count * 8)
    }

    /// The name of a number.
    subscript(index: Int) -> String {
        if !strings[index].isEmpty { return strings[index] }
        return String(decoding: arena[range(of: index)], as: UTF8.self)
    }

    /// Returns the name of a number and keeps it, so that all who ask share one.
    mutating func string(_ index: Int) -> String {
        if strings[index].isEmpty { strings[index] = self[index] }
        return strings[index]
    }

    private func range(of index: Int) -> Range<Int> {
        let start = Int(entries[index].start)
        return start..<start + Int(entries[index].count)
    }
}

// MARK: - Numbering

extension SymbolTable {
    /// Returns the number of a name, a new one where it was not seen before.
    mutating func index(of name: String) -> Int {
        var name = name
        return name.withUTF8 { unsafe index(of: $0) }
    }

    /// Returns the number of a name in a namespace.
    @unsafe mutating func index(of name: UnsafeBufferPointer<UInt8>, in namespace: Int) -> Int {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: arena[range(of: namespace)])
        scratch.append(UInt8(ascii: "."))
        unsafe scratch.append(contentsOf: name)
        return indexOfScratch()
    }

    /// Returns the number of a qualified name whose alias is replaced by its namespace; the same one where it has none.
    mutating func index(of name: Int, replacing aliases: [Int: Int]) -> Int {
        let range = range(of: name)
        guard let dot = arena[range].lastIndex(of: UInt8(ascii: ".")) else { return name }
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: arena[range.lowerBound..<dot])
        guard let namespace = aliases[indexOfScratch()] else { return name }
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: arena[self.range(of: namespace)])
        scratch.append(contentsOf: arena[dot..<range.upperBound])
        return indexOfScratch()
    }

    private mutating func indexOfScratch() -> Int {
        // Taken out, so that the table can change while its bytes are read; put back for its capacity.
        var bytes: [UInt8] = []
        swap(&bytes, &scratch)
        defer { swap(&bytes, &scratch) }
        return unsafe bytes.withUnsafeBufferPointer { unsafe index(of: $0) }
    }

    /// Returns the number of a name in UTF-8, a new one where it was not seen before.
    @unsafe mutating func index(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let hash = unsafe hash(of: bytes)
        let mask = table.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while table[slot] != 0 {
            let number = Int(table[slot] & SymbolTable.numberMask) - 1
            if (table[slot] ^ hash) & ~SymbolTable.numberMask == 0,
                unsafe isEntry(number, equalTo: bytes)
            {
                return number
            }
            slot = (slot + 1) & mask
        }
        table[slot] = hash & ~SymbolTable.numberMask | UInt64(entries.count + 1)
        let start = Int32(truncatingIfNeeded: arena.count)
        entries.append(Entry(start: start, count: Int32(truncatingIfNeeded: bytes.count)))
        unsafe arena.append(contentsOf: bytes)
        strings.append("")
        if entries.count * 2 > table.count { grow() }
        return entries.count - 1
    }

    @unsafe private func isEntry(_ index: Int, equalTo bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = range(of: index)
        guard range.count == bytes.count else { return false }
        return unsafe arena.withUnsafeBytes { arena in
            let own = unsafe UnsafeRawBufferPointer(rebasing: arena[range])
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
        table = Array(repeating: 0, count: table.count * 2)
        let mask = table.count - 1
        for number in entries.indices {
            let range = range(of: number)
            let hash = unsafe arena.withUnsafeBufferPointer { arena -> UInt64 in
                unsafe self.hash(of: UnsafeBufferPointer(rebasing: arena[range]))
            }
            var slot = Int(truncatingIfNeeded: hash) & mask
            while table[slot] != 0 { slot = (slot + 1) & mask }
            table[slot] = hash & ~SymbolTable.numberMask | UInt64(number + 1)
        }
    }

    /// A multiplicative hash over words of eight bytes, with mixing steps; names share long beginnings, all of it counts.
    @unsafe private func hash(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = seed ^ UInt64(truncatingIfNeeded: raw.count)
        var offset = 0
        while offset + SymbolTable.wordSize <= raw.count {
            let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 29
            offset += SymbolTable.wordSize
        }
        var rest: UInt64 = 0
        while offset < raw.count {
            rest = rest << 8 | UInt64(unsafe raw[offset])
            offset += 1
        }
        hash = (hash ^ rest) &* 0x9e37_79b9_7f4a_7c15
        return hash ^ (hash >> 32)
    }
}
