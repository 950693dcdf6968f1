/// A call of a sink as a recording holds it, in one word: which, a number (mostly the slot), and the length of its text.
///
/// An integer or a real number stands in the word behind its call.
@usableFromInline @frozen
package struct RecordedCall {
    /// Which call it is.
    @usableFromInline @frozen
    package enum Name: UInt8 {
        // Those of plain entities come first.
        case null, integer, real, text, blob, etag, exact
        case beginEntity, endEntity, type
        case undeclared, control, reference
        case beginNavigation, beginDeltaNavigation, endNavigation
        case removed, removedChanged, link
        case streamControl
    }

    /// The word.
    @usableFromInline package let word: UInt64

    /// Reads a word.
    @inlinable
    package init(_ word: UInt64) { self.word = word }

    /// Makes a word of its parts.
    @inlinable
    init(_ name: Name, number: Int, length: Int) {
        word =
            UInt64(name.rawValue) | UInt64(truncatingIfNeeded: number) << 8
            | UInt64(truncatingIfNeeded: length) << 32
    }

    /// Which call it is.
    @inlinable
    package var name: Name? { Name(rawValue: UInt8(truncatingIfNeeded: word)) }

    /// The slot, or another number; at the end of a plain entity how many exact texts it has.
    @inlinable
    package var number: Int { Int(word >> 8 & 0xFF_FFFF) }

    /// How many bytes its text has.
    ///
    /// At the beginning of a plain entity the number of words up to its end; at the end the number of its bytes.
    @inlinable
    package var length: Int { Int(word >> 32) }
}
