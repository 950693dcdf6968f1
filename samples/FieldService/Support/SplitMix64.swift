/// A small generator of random numbers with the same sequence on every platform.
///
/// Sebastiano Vigna's SplitMix64, in the public domain: https://prng.di.unimi.it/splitmix64.c
struct SplitMix64 {
    private var state: UInt64

    /// Creates the generator of one row, so that a row does not depend on how many came before it.
    init(_ stream: Stream, row: Int) {
        state = stream.rawValue << 40 ^ UInt64(row)
        // Neighbouring seeds would start alike; the first number is spread over the whole state.
        state = next()
    }

    /// What the numbers are for; each has a sequence of its own.
    enum Stream: UInt64 {
        case technicianKey = 1
        case technician, customer, site, siteOwner, part, workOrder, workOrderText, task
        case timeEntry, timeEntryKey, attachment, attachmentKey, place
    }

    /// Returns the next 64 bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to but without `bound`.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Returns a number of the range.
    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// Returns true for so many of a hundred rows.
    mutating func happens(percent: Int) -> Bool {
        below(100) < percent
    }

    /// Returns one of the items.
    mutating func pick<Item>(_ items: [Item]) -> Item {
        items[below(items.count)]
    }

    /// Returns a random identifier of version 4 (RFC 9562 § 5.4).
    mutating func guid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Array(hexadecimal(high) + hexadecimal(low))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            .map { String(digits[$0]) }
            .joined(separator: "-")
    }

    private func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
