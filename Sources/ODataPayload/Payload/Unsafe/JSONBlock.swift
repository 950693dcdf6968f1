import ODataText

/// What 64 bytes of JSON hold, one bit for each byte, the lowest for the first.
///
/// Eight bytes are looked at in one word. A byte is told from another by a subtraction that borrows from no neighbour, since the
/// highest bit of each byte is left out of it, and a product gathers the eight marks of a word in one byte.
struct JSONBlock {
    static let size = 64

    /// Quotation marks, those behind a backslash among them.
    private(set) var quotes: UInt64 = 0
    /// Brackets and braces; and `Y`, `_`, `y` and DEL, which well-formed JSON has in strings alone.
    private(set) var brackets: UInt64 = 0
    private var backslashMarks: UInt64 = 0
    private var controlMarks: UInt64 = 0
    private var highMarks: UInt64 = 0

    private static let size8 = MemoryLayout<UInt64>.size
    private static let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Looks at 64 bytes; the caller has made sure that they are there.
    @inline(__always)
    @unsafe init(_ base: UnsafePointer<UInt8>) {
        var offset = 0
        while offset < Self.size {
            let word = unsafe JSONScan.load(base, at: offset)
            let (low, ascii) = (word & Self.lows, ~word & Self.highs)
            let shift = UInt64(truncatingIfNeeded: offset)
            quotes |= Self.bits(Self.marks(low, "\"") & ascii) << shift
            // `[`, `]`, `{` and `}` differ in these bits alone.
            brackets |= Self.bits(Self.marks(low | Self.each(0x26), "\u{7F}") & ascii) << shift
            backslashMarks |= Self.marks(low, "\\") & ascii
            controlMarks |= ~(low &+ Self.each(0x60)) & ascii
            highMarks |= word & Self.highs
            offset &+= Self.size8
        }
    }

    var hasBackslash: Bool { backslashMarks != 0 }

    /// Whether a byte is not ASCII.
    var hasHighBit: Bool { highMarks != 0 }

    /// Whether a byte is a control character; between values that is white space.
    var hasControl: Bool { controlMarks != 0 }

    /// The bytes that stand in strings, opening quotation marks among them; of a block without backslashes.
    @inline(__always)
    func strings(beginningInString isInString: Bool) -> UInt64 {
        var parity = quotes
        var distance: UInt64 = 1
        while distance < 64 {
            parity ^= parity << distance
            distance &*= 2
        }
        return isInString ? ~parity : parity
    }

    /// The control characters among the bytes that the block was made of.
    @unsafe static func controls(_ base: UnsafePointer<UInt8>) -> UInt64 {
        var found: UInt64 = 0
        var offset = 0
        while offset < size {
            let word = unsafe JSONScan.load(base, at: offset)
            let marks = ~((word & lows) &+ each(0x60)) & ~word & highs
            found |= bits(marks) << UInt64(truncatingIfNeeded: offset)
            offset &+= size8
        }
        return found
    }

    /// Marks a character's bytes in a word without highest bits.
    @inline(__always)
    private static func marks(_ low: UInt64, _ character: Unicode.Scalar) -> UInt64 {
        highs &- (low ^ each(UInt64(character.value)))
    }

    @inline(__always)
    private static func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

    /// Gathers the highest bits of the eight bytes of a word.
    @inline(__always)
    private static func bits(_ marks: UInt64) -> UInt64 { (marks &* 0x0002_0408_1020_4081) >> 56 }
}
