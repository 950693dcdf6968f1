import ODataText
import ODataValues

/// The names of the members of one type, laid out for comparison by words.
///
/// Each name stands with its quotation marks at a multiple of eight bytes, filled up with zeros:
///
///     "Name"..  "LongerNa  me".....
///
/// Beside each name is the member that came after it last time, which is the one to try first.
@safe final class NameTable {
    let count: Int
    private let bytes: UnsafeMutablePointer<UInt8>
    private let entries: UnsafeMutablePointer<Entry>
    /// Open addressing over twice as many places as names, at least.
    private let places: UnsafeMutablePointer<Int32>
    private let mask: Int

    private struct Entry {
        var offset: Int32
        /// Length with quotation marks.
        var length: Int32
        var next: Int32
    }

    init(_ names: [String]) {
        count = names.count
        var offsets: [Int] = []
        var total = 0
        for name in names {
            offsets.append(total)
            total += (name.utf8.count + 2 + 7) & ~7
        }
        unsafe bytes = .allocate(capacity: max(total, 8))
        unsafe bytes.initialize(repeating: 0, count: max(total, 8))
        // One more than the number of names: the name that came first last time.
        unsafe entries = .allocate(capacity: count + 1)
        unsafe (entries + count).initialize(to: Entry(offset: 0, length: 0, next: 0))
        var places = 4
        while places < count * 2 { places *= 2 }
        mask = places - 1
        unsafe self.places = .allocate(capacity: places)
        unsafe self.places.initialize(repeating: -1, count: places)
        for (index, name) in names.enumerated() {
            fill(index, offset: offsets[index], name: Array(name.utf8))
        }
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe entries.deallocate()
        unsafe places.deallocate()
    }

    private func fill(_ index: Int, offset: Int, name: [UInt8]) {
        let quoted = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
        for (position, byte) in quoted.enumerated() { unsafe bytes[offset + position] = byte }
        unsafe (entries + index).initialize(
            to: Entry(
                offset: Int32(offset),
                length: Int32(quoted.count),
                next: Int32(index + 1 < count ? index + 1 : 0)
            )
        )
        var place = Self.hash(name.span) & mask
        while unsafe places[place] >= 0 { place = (place + 1) & mask }
        unsafe places[place] = Int32(index)
    }

    /// The member to try first after another; before the first one comes `count`.
    func expected(after index: Int) -> Int {
        unsafe Int(entries[index].next)
    }

    /// Remembers which member came after another.
    func learn(_ next: Int, after index: Int) {
        unsafe entries[index].next = Int32(next)
    }

    /// Returns the length with quotation marks of a name that stands at a place; 0 where it does not.
    @unsafe func match(_ index: Int, base: UnsafePointer<UInt8>, left: Int) -> Int {
        let entry = unsafe entries[index]
        let length = Int(entry.length)
        guard length <= left else { return 0 }
        let name = unsafe UnsafePointer(bytes + Int(entry.offset))
        var position = 0
        while position &+ 8 <= length {
            guard unsafe JSONScan.load(name, at: position) == JSONScan.load(base, at: position)
            else {
                return 0
            }
            position &+= 8
        }
        while position < length {
            guard unsafe name[position] == base[position] else { return 0 }
            position &+= 1
        }
        return length
    }

    /// Returns the member of a name without quotation marks.
    func find(_ name: Span<UInt8>) -> Int? {
        var place = Self.hash(name) & mask
        while true {
            let index = unsafe Int(places[place])
            guard index >= 0 else { return nil }
            if isEqual(name, at: index) { return index }
            place = (place + 1) & mask
        }
    }

    private func isEqual(_ name: Span<UInt8>, at index: Int) -> Bool {
        let entry = unsafe entries[index]
        guard Int(entry.length) == name.count + 2 else { return false }
        for position in 0..<name.count
        where unsafe bytes[Int(entry.offset) + 1 + position] != name[position] {
            return false
        }
        return true
    }

    /// Returns the name of a member, for messages.
    func name(_ index: Int) -> String {
        let entry = unsafe entries[index]
        var name: [UInt8] = []
        for position in 1..<(Int(entry.length) - 1) {
            unsafe name.append(bytes[Int(entry.offset) + position])
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// FNV-1a; the names come from the model and not from the payload, so a payload cannot force collisions.
    private static func hash(_ name: Span<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in name.indices { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
