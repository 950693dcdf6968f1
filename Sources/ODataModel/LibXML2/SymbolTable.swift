#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Numbers the distinct names of a document, so that comparing two names compares their numbers.
///
/// Metadata repeats itself: types, property names, roles and sets come again and again, and two numbers compare in one
/// step where two strings do not. All names stand one after the other in one arena, each behind its number and its count of
/// bytes; a slot of the hash table holds half of the hash and the place of the name's first byte. So a name that is not
/// there costs one look into memory, one that is there two. Probing is linear. A `String` is made when it is asked for,
/// and then kept.
///
///     slot    hash: 32 bits | place: 32 bits     0 where it is free
///     arena   number: 4 bytes | count: 4 bytes | the name | number | …
///                                              ^ place
struct SymbolTable {
    private static let wordSize = 8
    private static let headerSize = 8
    private static let firstPieceSize = 1 << 10
    private static let pieceSize = 64 << 10
    /// How many names behind one are looked at: an association has two roles.
    private static let neighbours = 2
    private static let placeMask: UInt64 = 0xFFFF_FFFF

    /// The place of each name, by its number; documents are smaller than 2 GB.
    private var places: [UInt32] = []
    private var strings: [String] = []
    /// Grows by whole pieces, so that a name is copied into room that is there.
    private var arena: [UInt8] = []
    private var usedCount = 0
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
        places.reserveCapacity(count / 2)
        strings.reserveCapacity(count / 2)
        // Memory that is never written costs nothing; to grow costs a copy.
        arena.reserveCapacity(documentByteCount / 2)
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

    /// Stores a text outside the lookup table, and returns its place.
    @unsafe mutating func note(_ bytes: UnsafeBufferPointer<UInt8>) -> NotedText {
        NotedText(start: unsafe keep(bytes, header: nil), count: bytes.count)
    }

    /// Copies bytes to the end of the arena, behind their header where they have one, and returns their place.
    @unsafe private mutating func keep(
        _ bytes: UnsafeBufferPointer<UInt8>,
        header: (number: UInt32, count: UInt32)?
    ) -> Int {
        let needed = usedCount + SymbolTable.headerSize + bytes.count
        if needed > arena.count {
            // A small document needs a small arena: without optimization the zeros are written one by one.
            let piece = min(SymbolTable.pieceSize, max(SymbolTable.firstPieceSize, arena.count))
            let count = max(piece, needed - arena.count)
            arena.append(contentsOf: repeatElement(0, count: count))
        }
        let start = usedCount
        let place = header == nil ? start : start + SymbolTable.headerSize
        unsafe arena.withUnsafeMutableBytes { arena in
            if let header {
                unsafe arena.storeBytes(of: header.number, toByteOffset: start, as: UInt32.self)
                unsafe arena.storeBytes(of: header.count, toByteOffset: start + 4, as: UInt32.self)
            }
            if let from = bytes.baseAddress, let to = arena.baseAddress {
                unsafe memcpy(to + place, from, bytes.count)
            }
        }
        usedCount = place + bytes.count
        return place
    }

    /// A text that was kept with `note`.
    subscript(text: NotedText) -> String {
        String(decoding: arena[text.start..<text.start + text.count], as: UTF8.self)
    }

    /// A text in the arena that has no number.
    struct NotedText {
        fileprivate let start: Int
        fileprivate let count: Int
    }

    private func range(of index: Int) -> Range<Int> {
        let place = Int(places[index])
        let count = unsafe arena.withUnsafeBytes { unsafe Self.byteCount($0, at: place) }
        return place..<place + count
    }
}

// MARK: - Numbering

extension SymbolTable {
    /// Returns the number of a name, a new one where it was not seen before.
    mutating func index(of name: String) -> Int {
        var name = name
        return name.withUTF8 { unsafe index(of: $0) }
    }

    /// Returns the number of a name in a namespace, which may be one of the next behind another name.
    @unsafe mutating func index(
        of name: UnsafeBufferPointer<UInt8>,
        in namespace: Int,
        near other: Int?
    ) -> Int {
        if let other, let neighbour = unsafe neighbour(of: other, equal: name, in: namespace) {
            return neighbour
        }
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
        let (number, slot) = unsafe find(bytes, hash: hash)
        return if let number { number } else { unsafe add(bytes, hash: hash, slot: slot) }
    }

    /// Returns the number of a name that probably was new right after another one, as the roles of an association are.
    ///
    /// Such names stand side by side in the arena, where the other one has just been read: no hash, no look elsewhere.
    @unsafe mutating func index(of bytes: UnsafeBufferPointer<UInt8>, near other: Int) -> Int {
        if let neighbour = unsafe neighbour(of: other, equal: bytes) { return neighbour }
        return unsafe index(of: bytes)
    }

    @unsafe private func neighbour(of other: Int, equal bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        unsafe arena.withUnsafeBytes { arena in
            firstNeighbour(of: other) { place in
                unsafe SymbolTable.isEqual(arena, at: place, bytes: bytes)
            }
        }
    }

    @unsafe private func neighbour(
        of other: Int,
        equal name: UnsafeBufferPointer<UInt8>,
        in namespace: Int
    ) -> Int? {
        let space = range(of: namespace)
        return unsafe arena.withUnsafeBytes { arena in
            firstNeighbour(of: other) { place in
                unsafe SymbolTable.isEqual(arena, at: place, space: space, name: name)
            }
        }
    }

    private func firstNeighbour(of other: Int, where isWanted: (_ place: Int) -> Bool) -> Int? {
        let next = other + 1
        for number in next..<max(next, min(next + SymbolTable.neighbours, places.count))
        where isWanted(Int(places[number])) {
            return number
        }
        return nil
    }

    @unsafe private mutating func add(
        _ bytes: UnsafeBufferPointer<UInt8>,
        hash: UInt64,
        slot: Int
    ) -> Int {
        let number = places.count
        let header = (UInt32(number), UInt32(bytes.count))
        let place = UInt32(truncatingIfNeeded: unsafe keep(bytes, header: header))
        table[slot] = hash & ~SymbolTable.placeMask | UInt64(place)
        places.append(place)
        strings.append("")
        if places.count * 2 > table.count { grow() }
        return number
    }

    /// Returns the number of a name, or the free slot where it belongs.
    @unsafe private func find(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt64)
        -> (number: Int?, slot: Int)
    {
        unsafe table.withUnsafeBufferPointer { table in
            let mask = table.count - 1
            var slot = Int(truncatingIfNeeded: hash) & mask
            while unsafe table[slot] != 0 {
                let held = unsafe table[slot]
                if (held ^ hash) & ~SymbolTable.placeMask == 0,
                    let number = unsafe number(Int(held & SymbolTable.placeMask), ifEqual: bytes)
                {
                    return (number, slot)
                }
                slot = (slot + 1) & mask
            }
            return (nil, slot)
        }
    }

    /// Returns the number of the name at a place where it has these bytes.
    @unsafe private func number(_ place: Int, ifEqual bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        unsafe arena.withUnsafeBytes { arena in
            guard unsafe SymbolTable.isEqual(arena, at: place, bytes: bytes) else { return nil }
            let start = place - SymbolTable.headerSize
            return Int(unsafe arena.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        }
    }

    @unsafe private static func isEqual(
        _ arena: UnsafeRawBufferPointer,
        at place: Int,
        bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard unsafe byteCount(arena, at: place) == bytes.count, let own = arena.baseAddress,
            let other = bytes.baseAddress
        else { return false }
        return unsafe memcmp(own + place, other, bytes.count) == 0
    }

    /// Whether the name at a place is this one in a namespace, which is in the arena as well.
    @unsafe private static func isEqual(
        _ arena: UnsafeRawBufferPointer,
        at place: Int,
        space: Range<Int>,
        name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard unsafe byteCount(arena, at: place) == space.count + 1 + name.count,
            let start = arena.baseAddress, let other = name.baseAddress,
            unsafe arena[place + space.count] == UInt8(ascii: ".")
        else { return false }
        return unsafe memcmp(start + place + space.count + 1, other, name.count) == 0
            && memcmp(start + place, start + space.lowerBound, space.count) == 0
    }

    @unsafe private static func byteCount(_ arena: UnsafeRawBufferPointer, at place: Int) -> Int {
        Int(unsafe arena.loadUnaligned(fromByteOffset: place - 4, as: UInt32.self))
    }

    private mutating func grow() {
        table = Array(repeating: 0, count: table.count * 2)
        let mask = table.count - 1
        for number in places.indices {
            let range = range(of: number)
            let hash = unsafe arena.withUnsafeBufferPointer { arena -> UInt64 in
                unsafe self.hash(of: UnsafeBufferPointer(rebasing: arena[range]))
            }
            var slot = Int(truncatingIfNeeded: hash) & mask
            while table[slot] != 0 { slot = (slot + 1) & mask }
            table[slot] = hash & ~SymbolTable.placeMask | UInt64(places[number])
        }
    }

    /// A multiplicative hash over two words of eight bytes at a time.
    ///
    /// Names of associations have well over a hundred bytes, and begin alike. The last two words overlap those before, so that
    /// no byte is taken alone.
    @unsafe private func hash(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        let count = raw.count
        let size = SymbolTable.wordSize
        var hash = seed ^ UInt64(truncatingIfNeeded: count)
        var offset = 0
        while offset + 2 * size < count {
            let first = unsafe SymbolTable.word(raw, at: offset)
            let second = unsafe SymbolTable.word(raw, at: offset + size)
            hash = SymbolTable.mix(hash ^ first, second)
            offset += 2 * size
        }
        if count >= 2 * size {
            let first = unsafe SymbolTable.word(raw, at: count - 2 * size)
            return unsafe SymbolTable.mix(hash ^ first, SymbolTable.word(raw, at: count - size))
        }
        if count >= size {
            let first = unsafe SymbolTable.word(raw, at: 0)
            return unsafe SymbolTable.mix(hash ^ first, SymbolTable.word(raw, at: count - size))
        }
        return unsafe SymbolTable.mix(hash, SymbolTable.short(raw))
    }

    /// Both halves of the product of 128 bits, so that each bit reaches each other.
    private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = (one ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(
            by: other ^ 0xe703_7ed1_a0b4_28db
        )
        return product.high ^ product.low
    }

    @unsafe private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Up to seven bytes as one word, which is unique among texts of the same length.
    @unsafe private static func short(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        if count >= 4 {
            let first = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
            let last = unsafe bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            return UInt64(first) << 32 | UInt64(last)
        }
        guard count > 0 else { return 0 }
        return unsafe UInt64(bytes[0]) << 16 | UInt64(bytes[count / 2]) << 8
            | UInt64(bytes[count - 1])
    }
}
