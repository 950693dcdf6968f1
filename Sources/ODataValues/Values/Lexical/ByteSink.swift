/// Where the text of values is appended: an array that grows, or room that was made beforehand.
///
/// The writers of values are generic over it, so that a row's members need one look at the array's capacity each and not one
/// for every byte.
package protocol ByteSink: ~Copyable, ~Escapable {
    /// Appends a byte.
    mutating func append(_ byte: UInt8)

    /// Appends the first bytes of a word, the lowest one first: many bytes for the price of one.
    ///
    /// - Parameter count: At most 8.
    mutating func append(word: UInt64, count: Int)

    /// Appends the bytes of a span.
    mutating func append(bytes: Span<UInt8>)
}

extension ByteSink where Self: ~Copyable & ~Escapable {
    /// Appends the bytes of a literal of at most 8 bytes.
    package mutating func append(short literal: StaticString) {
        var word: UInt64 = 0
        literal.withUTF8Buffer { bytes in
            for index in bytes.indices.reversed() {
                word = unsafe word << 8 | UInt64(bytes[index])
            }
        }
        append(word: word, count: literal.utf8CodeUnitCount)
    }
}
