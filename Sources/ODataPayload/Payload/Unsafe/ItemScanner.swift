import ODataText
import ODataValues

/// Finds the end of one JSON value while its bytes arrive, looking at each byte once.
///
/// It follows quotation marks and brackets only; that the value is well-formed is for the reader to see. What it does check is
/// what spares the reader a second look: no control characters in strings, depth, size.
struct ItemScanner {
    private enum Kind {
        case none
        case string
        case container
        /// A number or a literal, which ends where something else begins.
        case bare
    }

    private var kind = Kind.none
    private var depth = 0
    private var isInString = false
    private var start = 0
    private var position = 0
    /// Whether a byte beyond ASCII was seen (perhaps just after the value).
    private(set) var hasHighBit = false

    private let limits: PayloadLimits

    init(limits: PayloadLimits) {
        self.limits = limits
    }

    /// Whether a value is being followed.
    var isActive: Bool { kind != .none }

    /// Begins at a place of the window.
    mutating func begin(at start: Int) {
        self = ItemScanner(limits: limits)
        self.start = start
        position = start
    }

    /// Follows the window when bytes at its front are thrown away.
    mutating func shift(_ length: Int) {
        start -= length
        position -= length
    }

    /// Looks at the bytes that are new and returns where the value ends; nil where its end has not arrived.
    @unsafe mutating func advance(
        _ base: UnsafePointer<UInt8>,
        to end: Int
    ) throws(PayloadFault) -> Int? {
        if kind == .none {
            guard position < end else { return nil }
            unsafe begin(base[position])
        }
        let isComplete =
            kind == .bare ? unsafe bare(base, to: end) : try unsafe nested(base, to: end)
        guard position - start <= limits.maximumItemBytes else {
            throw PayloadFault(
                .limitExceeded,
                at: start,
                "a value is larger than \(limits.maximumItemBytes) bytes"
            )
        }
        guard isComplete else { return nil }
        kind = .none
        return position
    }

    private mutating func begin(_ byte: UInt8) {
        if byte == UInt8(ascii: "\"") {
            kind = .string
        } else if byte | 0x20 == UInt8(ascii: "{") {
            kind = .container
        } else {
            kind = .bare
        }
    }

    @unsafe private mutating func bare(_ base: UnsafePointer<UInt8>, to end: Int) -> Bool {
        while position < end {
            let byte = unsafe base[position]
            if byte <= 0x20 || byte == UInt8(ascii: ",") || byte | 0x20 == UInt8(ascii: "}") {
                return true
            }
            if byte >= 0x80 { hasHighBit = true }
            position += 1
        }
        return false
    }

    /// Follows strings and brackets; true at the end of the value.
    @unsafe private mutating func nested(
        _ base: UnsafePointer<UInt8>,
        to end: Int
    ) throws(PayloadFault) -> Bool {
        while position &+ JSONBlock.size <= end {
            switch try unsafe block(base) {
            case .passed: position &+= JSONBlock.size
            case .ended: return true
            // An escape, or a fault: byte by byte.
            case .refused:
                if try unsafe bytes(base, until: position &+ JSONBlock.size, of: end) {
                    return true
                }
            }
        }
        return try unsafe bytes(base, until: end, of: end)
    }

    private enum BlockResult {
        case passed
        case ended
        case refused
    }

    /// Follows the next 64 bytes; the position moves only where the value ends in them.
    @inline(__always)
    @unsafe private mutating func block(_ base: UnsafePointer<UInt8>) throws(PayloadFault)
        -> BlockResult
    {
        // A string that is a value of its own ends with its quotation mark, which is no bracket.
        guard kind == .container else { return .refused }
        let block = unsafe JSONBlock(base + position)
        let strings = block.strings(beginningInString: isInString)
        guard !block.hasBackslash, block.controls & strings == 0 else { return .refused }
        if block.hasHighBit { hasHighBit = true }
        var brackets = block.brackets & ~strings
        while brackets != 0 {
            let place = position &+ brackets.trailingZeroBitCount
            brackets &= brackets &- 1
            guard try unsafe bracket(base[place], at: place) else { continue }
            position = place &+ 1
            isInString = false
            return .ended
        }
        isInString = strings >> 63 != 0
        return .passed
    }

    /// Takes a byte outside of strings; true where it closes the value.
    @inline(__always)
    private mutating func bracket(_ byte: UInt8, at place: Int) throws(PayloadFault) -> Bool {
        if byte | 0x20 == UInt8(ascii: "{") {
            depth &+= 1
            guard depth <= limits.maximumDepth else {
                throw PayloadFault(
                    .limitExceeded,
                    at: place,
                    "nested deeper than \(limits.maximumDepth) levels"
                )
            }
        } else if byte | 0x20 == UInt8(ascii: "}") {
            depth &-= 1
            return depth <= 0
        }
        return false
    }

    /// Follows single bytes up to a place; an escape may reach beyond it.
    @unsafe private mutating func bytes(
        _ base: UnsafePointer<UInt8>,
        until stop: Int,
        of end: Int
    ) throws(PayloadFault) -> Bool {
        var index = position
        defer { position = index }
        while index < stop {
            if isInString {
                index = unsafe endOfRun(base, from: index, to: stop)
                guard index < stop else { return false }
                let byte = unsafe base[index]
                if byte == UInt8(ascii: "\"") {
                    isInString = false
                    index &+= 1
                    if depth == 0 { return true }
                } else if byte == UInt8(ascii: "\\") {
                    // The escaped byte goes along, or both wait for the next bytes.
                    guard index &+ 1 < end else { return false }
                    index &+= 2
                } else {
                    throw PayloadFault(.malformed, at: index, "a control character in a string")
                }
                continue
            }
            let byte = unsafe base[index]
            index &+= 1
            if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte >= 0x80 {
                hasHighBit = true
            } else if try bracket(byte, at: index - 1) {
                return true
            }
        }
        return false
    }

    /// Passes bytes of a string that are nothing special.
    @unsafe private mutating func endOfRun(
        _ base: UnsafePointer<UInt8>,
        from start: Int,
        to end: Int
    ) -> Int {
        var index = start
        while index &+ 8 <= end {
            let word = unsafe JSONScan.load(base, at: index)
            if JSONScan.hasHighBit(word) { hasHighBit = true }
            let marks = JSONScan.special(word)
            if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < end {
            let byte = unsafe base[index]
            if JSONScan.isSpecial(byte) { return index }
            if byte >= 0x80 { hasHighBit = true }
            index &+= 1
        }
        return index
    }
}
