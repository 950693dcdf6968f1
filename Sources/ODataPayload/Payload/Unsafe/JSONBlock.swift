import CByteMasks

/// What 64 bytes of JSON hold, one bit for each byte, the lowest for the first.
struct JSONBlock {
    static let size = 64

    private let masks: byte_masks

    /// Looks at 64 bytes; the caller has made sure that they are there.
    @inline(__always)
    @unsafe init(_ base: UnsafePointer<UInt8>) {
        masks = unsafe byte_masks_of(base)
    }

    /// Brackets and braces; and `Y`, `_`, `y` and DEL, which well-formed JSON has in strings alone.
    var brackets: UInt64 { masks.brackets }

    /// Control characters; between values they are white space.
    var controls: UInt64 { masks.controls }

    var hasBackslash: Bool { masks.backslashes != 0 }

    /// Whether a byte is not ASCII.
    var hasHighBit: Bool { masks.beyond_ascii != 0 }

    /// The bytes that stand in strings, opening quotation marks among them; of a block without backslashes.
    @inline(__always)
    func strings(beginningInString isInString: Bool) -> UInt64 {
        var parity = masks.quotes
        var distance: UInt64 = 1
        while distance < 64 {
            parity ^= parity << distance
            distance &*= 2
        }
        return isInString ? ~parity : parity
    }
}
