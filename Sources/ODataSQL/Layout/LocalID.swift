import ODataValues
import ODataSQLite

/// The identity of an entity created here, good as long as the entity is in the store.
///
/// Half of it is the time, half of it random: ids that are made one after the other stand beside each other in the file, where random
/// ones would each change another page.
package struct LocalID: Sendable, Hashable {
    /// The 16 bytes.
    package let bytes: [UInt8]

    /// Creates a new id.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let halves = (UInt64(bitPattern: Instant.now), generator.next())
        bytes = (0..<16).map { place in
            // The time with its highest byte first, so that ids are ordered by it.
            UInt8(
                truncatingIfNeeded: (place < 8 ? halves.0 : halves.1) >> (8 * UInt64(7 - place & 7))
            )
        }
    }

    /// Creates an id from its bytes; nil unless there are 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Creates an id from its 32 hexadecimal digits.
    package init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard
                let byte = UInt8(
                    String(decoding: digits[index...index + 1], as: UTF8.self),
                    radix: 16
                )
            else { return nil }
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    /// The id in the form of a UUID.
    package var uuidText: String {
        var result = ""
        for (index, digit) in text.enumerated() {
            if [8, 12, 16, 20].contains(index) { result.append("-") }
            result.append(digit)
        }
        return result
    }

    /// The 32 hexadecimal digits.
    package var text: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            digits.append(Self.digit(byte >> 4))
            digits.append(Self.digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}
