#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Looks at eight bytes at once for those that matter in a string of JSON.
///
/// Bytes are numbered from the lowest of a word up. A byte's highest bit in a result says that it is one of those sought;
/// bytes above the first hit may be marked wrongly (borrows run upward), the first one never is.
@usableFromInline
package enum JSONScan {
    @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101
    @usableFromInline static let highs: UInt64 = 0x8080_8080_8080_8080
    @usableFromInline static let quotes: UInt64 = 0x2222_2222_2222_2222
    @usableFromInline static let backslashes: UInt64 = 0x5C5C_5C5C_5C5C_5C5C
    @usableFromInline static let spaces: UInt64 = 0x2020_2020_2020_2020

    /// Marks quotation marks, backslashes and control characters.
    @inlinable @inline(__always)
    package static func special(_ word: UInt64) -> UInt64 {
        let quote = word ^ quotes
        let backslash = word ^ backslashes
        let found =
            (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- spaces) & ~word
        return found & highs
    }

    /// Whether a byte is a quotation mark, a backslash or a control character.
    @inlinable @inline(__always)
    package static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C
    }

    /// Whether any byte of a word is not ASCII.
    @inlinable @inline(__always)
    package static func hasHighBit(_ word: UInt64) -> Bool { word & highs != 0 }

    /// Returns how many bytes of a word are ASCII before the first that is not.
    @inlinable @inline(__always)
    package static func asciiCount(_ word: UInt64) -> Int {
        (word & highs).trailingZeroBitCount / 8
    }

    /// Returns the place of the first byte that is not ASCII, or the end.
    package static func asciiEnd(in text: Span<UInt8>, from start: Int) -> Int {
        unsafe text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            var index = start
            // Four words at once: texts are ASCII for the most part.
            while index &+ 32 <= buffer.count {
                let words =
                    unsafe load(base, at: index) | load(base, at: index &+ 8)
                    | load(base, at: index &+ 16) | load(base, at: index &+ 24)
                if hasHighBit(words) { break }
                index &+= 32
            }
            while index &+ 8 <= buffer.count {
                let passed = asciiCount(unsafe load(base, at: index))
                index &+= passed
                if passed < 8 { return index }
            }
            while index < buffer.count, unsafe base[index] < 0x80 { index &+= 1 }
            return index
        }
    }

    /// Returns the place of the first byte that must be escaped in JSON, or the end.
    package static func firstToEscape(in text: Span<UInt8>, from start: Int) -> Int {
        unsafe text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe firstSpecial(base, from: start, to: buffer.count)
        }
    }

    /// Returns the place of the first special byte in a range, or its end.
    @inlinable @inline(__always)
    @unsafe package static func firstSpecial(
        _ base: UnsafePointer<UInt8>,
        from start: Int,
        to end: Int
    )
        -> Int
    {
        var index = start
        while index &+ 8 <= end {
            let marks = special(unsafe load(base, at: index))
            if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < end, !isSpecial(unsafe base[index]) { index &+= 1 }
        return index
    }

    /// Loads eight bytes; the caller has made sure that they are there.
    @inlinable @inline(__always)
    @unsafe package static func load(_ base: UnsafePointer<UInt8>, at index: Int) -> UInt64 {
        UInt64(
            littleEndian: unsafe UnsafeRawPointer(base).loadUnaligned(
                fromByteOffset: index,
                as: UInt64.self
            )
        )
    }

    /// Calls a function with the place of every newline.
    @unsafe package static func eachNewline(
        _ base: UnsafePointer<UInt8>,
        to end: Int,
        body: (Int) -> Void
    ) {
        var index = 0
        while index < end,
            let hit = unsafe memchr(base + index, 0x0A, end - index)
        {
            index = unsafe UnsafeRawPointer(base).distance(to: UnsafeRawPointer(hit))
            body(index)
            index += 1
        }
    }
}
