import ODataText
import ODataValues

/// Reads JSON tokens from a range of a window.
///
/// Noncopyable and handed out for the length of a call only, so that it cannot outlive the memory. Every access is held
/// against `end`, and a byte beyond it reads as 0, which no token contains.
@safe package struct ByteCursor: ~Copyable {
    private let base: UnsafePointer<UInt8>
    /// Place of the next byte.
    package private(set) var index: Int
    private let end: Int
    /// Whether objects that are passed over may have two members of one name, since the reader of their value decides on that.
    package var allowsDuplicateNames = false

    @unsafe init(_ base: UnsafePointer<UInt8>, in range: Range<Int>) {
        unsafe self.base = base
        index = range.lowerBound
        end = range.upperBound
    }

    /// Reads bytes that are not in a window; the cursor must not outlive the call.
    package static func with<Result>(
        _ bytes: Span<UInt8>,
        body: (inout ByteCursor) throws -> Result
    ) rethrows -> Result {
        try unsafe bytes.withUnsafeBufferPointer { buffer in
            var none: UInt8 = 0
            guard let base = buffer.baseAddress else {
                return try unsafe withUnsafePointer(to: &none) { pointer in
                    var cursor = unsafe ByteCursor(pointer, in: 0..<0)
                    return try body(&cursor)
                }
            }
            var cursor = unsafe ByteCursor(base, in: 0..<buffer.count)
            return try body(&cursor)
        }
    }

    /// A string between its quotation marks.
    package struct Token {
        package var start: Int
        package var end: Int
        var hasEscapes: Bool
    }

    /// Place after the last byte.
    var endIndex: Int { end }

    /// Whether nothing is left.
    package var isAtEnd: Bool { index >= end }

    /// The next byte, 0 at the end.
    package var byte: UInt8 {
        index < end ? unsafe base[index] : 0
    }

    /// The byte so many places further on, 0 beyond the end.
    func byte(after distance: Int) -> UInt8 {
        index + distance < end ? unsafe base[index + distance] : 0
    }

    /// Moves by one byte.
    package mutating func advance() {
        if index < end { index &+= 1 }
    }

    /// Goes to a place of the range.
    package mutating func move(to place: Int) {
        precondition(place >= 0 && place <= end, "the cursor is moved out of its range")
        index = place
    }

    /// Gives the bytes of a range.
    @inline(__always)
    func withSpan<Result>(
        from start: Int,
        to end: Int,
        body: (Span<UInt8>) throws -> Result
    ) rethrows -> Result {
        precondition(
            start >= 0 && start <= end && end <= self.end,
            "the bytes asked for are outside the cursor's range"
        )
        return try body(unsafe Span(_unsafeStart: base + start, count: end - start))
    }

    /// Gives the bytes of a string as they are written.
    @inline(__always)
    package func withSpan<Result>(_ token: Token, body: (Span<UInt8>) throws -> Result) rethrows
        -> Result
    {
        try withSpan(from: token.start, to: token.end, body: body)
    }

    /// Whether a string without escapes that begins at a place has these bytes.
    func hasString(_ text: Span<UInt8>, at start: Int) -> Bool {
        guard text.count < end - start, unsafe base[start + text.count] == UInt8(ascii: "\"") else {
            return false
        }
        return withSpan(from: start, to: start + text.count) { $0.isEqual(to: text) }
    }

    /// Passes white space.
    @inline(__always)
    package mutating func skipSpace() {
        while index < end {
            let byte = unsafe base[index]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
                return
            }
            index &+= 1
        }
    }

    /// Passes one expected byte.
    package mutating func expect(_ expected: UInt8, what: StaticString) throws(PayloadFault) {
        guard byte == expected else { throw unexpected(what) }
        index &+= 1
    }

    /// Passes a name with its colon if it is the one of a table's member.
    @inline(__always)
    mutating func take(_ member: Int, of table: NameTable) -> Bool {
        let length = unsafe table.match(member, base: base + index, left: end - index)
        guard length > 0 else { return false }
        index &+= length
        return true
    }

    /// Reads a string.
    package mutating func string() throws(PayloadFault) -> Token {
        guard byte == UInt8(ascii: "\"") else { throw unexpected("a string") }
        let start = index &+ 1
        var place = start
        var hasEscapes = false
        while true {
            place = unsafe JSONScan.firstSpecial(base, from: place, to: end)
            guard place < end else {
                throw PayloadFault(.malformed, at: index, "a string without end")
            }
            let found = unsafe base[place]
            if found == UInt8(ascii: "\"") { break }
            guard found == UInt8(ascii: "\\"), place &+ 1 < end else {
                throw PayloadFault(.malformed, at: place, "a control character in a string")
            }
            hasEscapes = true
            place &+= 2
        }
        index = place &+ 1
        return Token(start: start, end: place, hasEscapes: hasEscapes)
    }

    /// A number as it is written.
    struct Number {
        package var start: Int
        package var end: Int
        /// Whether there is neither a fraction nor an exponent.
        var isWhole: Bool
    }

    /// Reads a number by the grammar of JSON (RFC 8259 § 6).
    mutating func number() throws(PayloadFault) -> Number {
        let start = index
        if byte == UInt8(ascii: "-") { index &+= 1 }
        if byte == 0x30 {
            index &+= 1
        } else {
            guard digits() else { throw unexpected("a number") }
        }
        var isWhole = true
        if byte == UInt8(ascii: ".") {
            index &+= 1
            isWhole = false
            guard digits() else { throw unexpected("a digit") }
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            index &+= 1
            isWhole = false
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index &+= 1 }
            guard digits() else { throw unexpected("a digit") }
        }
        guard !isNameByte(byte) else { throw unexpected("the end of a number") }
        return Number(start: start, end: index, isWhole: isWhole)
    }

    /// Passes digits; false where there are none.
    private mutating func digits() -> Bool {
        let start = index
        while index < end, unsafe base[index] &- 0x30 < 10 { index &+= 1 }
        return index > start
    }

    /// Reads a whole number of at most 18 digits; nil, without moving, for any other value.
    @inline(__always)
    mutating func shortInteger() -> Int64? {
        var place = index
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative { place &+= 1 }
        let first = place
        var value: Int64 = 0
        while place < end {
            let digit = unsafe base[place] &- 0x30
            guard digit < 10 else { break }
            value = value &* 10 &+ Int64(digit)
            place &+= 1
        }
        let count = place &- first
        guard count > 0, count <= 18, place < end else { return nil }
        if count > 1, unsafe base[first] == 0x30 { return nil }
        let next = unsafe base[place]
        guard next == UInt8(ascii: ",") || next | 0x20 == UInt8(ascii: "}") || next <= 0x20 else {
            return nil
        }
        index = place
        return isNegative ? 0 &- value : value
    }

    /// Passes `true`, `false` or `null` if it stands here.
    mutating func take(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard end - index >= length else { return false }
        for position in 0..<length
        where unsafe base[index &+ position] != literal.utf8Start[position] {
            return false
        }
        guard !isNameByte(byte(after: length)) else { return false }
        index &+= length
        return true
    }

    /// Passes one value of any kind after a full check of its syntax and of the names in its objects.
    package mutating func skipValue(depth: Int, limit: Int) throws(PayloadFault) {
        guard depth <= limit else {
            throw PayloadFault(.limitExceeded, at: index, "nested deeper than \(limit) levels")
        }
        switch byte {
        case UInt8(ascii: "\""): _ = try checkedString()
        case UInt8(ascii: "{"): try skipObject(depth: depth, limit: limit)
        case UInt8(ascii: "["): try skipArray(depth: depth, limit: limit)
        case UInt8(ascii: "-"), 0x30...0x39: _ = try number()
        default:
            guard take("true") || take("false") || take("null") else { throw unexpected("a value") }
        }
    }

    private mutating func skipObject(depth: Int, limit: Int) throws(PayloadFault) {
        index &+= 1
        skipSpace()
        if byte == UInt8(ascii: "}") { return advance() }
        var names = MemberNames()
        while true {
            let name = try checkedString()
            guard allowsDuplicateNames || names.insert(name, of: self) else {
                throw PayloadFault(
                    .duplicateMember,
                    at: name.start - 1,
                    "a second member of the same name"
                )
            }
            try colon()
            try skipValue(depth: depth + 1, limit: limit)
            if try !comma(or: UInt8(ascii: "}"), "a comma or the end of the object") { return }
        }
    }

    private mutating func skipArray(depth: Int, limit: Int) throws(PayloadFault) {
        index &+= 1
        skipSpace()
        if byte == UInt8(ascii: "]") { return advance() }
        while true {
            try skipValue(depth: depth + 1, limit: limit)
            if try !comma(or: UInt8(ascii: "]"), "a comma or the end of the array") { return }
        }
    }

    /// Passes a colon and the white space around it.
    @inline(__always)
    package mutating func colon() throws(PayloadFault) {
        if byte != UInt8(ascii: ":") { skipSpace() }
        guard byte == UInt8(ascii: ":") else { throw unexpected("a colon") }
        index &+= 1
        skipSpace()
    }

    /// Passes a comma, true, or the closing bracket, false, and the white space around it.
    @inline(__always)
    package mutating func comma(or closing: UInt8, _ what: StaticString) throws(PayloadFault)
        -> Bool
    {
        skipSpace()
        let found = byte
        guard found == UInt8(ascii: ",") || found == closing else { throw unexpected(what) }
        index &+= 1
        guard found != closing else { return false }
        skipSpace()
        return true
    }

    /// Reads a string that is not unescaped later, and therefore checks its escapes.
    private mutating func checkedString() throws(PayloadFault) -> Token {
        let token = try string()
        guard token.hasEscapes else { return token }
        var place = token.start
        while place < token.end {
            guard unsafe base[place] == UInt8(ascii: "\\") else {
                place &+= 1
                continue
            }
            let length = unsafe escapeLength(base + place + 1, left: token.end - place - 1)
            guard length > 0 else { throw PayloadFault(.malformed, at: place, "no such escape") }
            place &+= length &+ 1
        }
        return token
    }

    /// Returns the length of an escape after its backslash, 0 where there is none such.
    @unsafe private func escapeLength(_ text: UnsafePointer<UInt8>, left: Int) -> Int {
        guard left > 0 else { return 0 }
        switch unsafe text[0] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return 1
        case UInt8(ascii: "u"):
            guard left >= 5 else { return 0 }
            for position in 1...4 where unsafe ASCII.hexDigit(text[position]) == nil { return 0 }
            return 5
        default: return 0
        }
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
    }

    /// Returns where the bytes of a range stop being UTF-8 (RFC 3629 § 4); nil where they are all.
    func firstInvalidUTF8(from start: Int, to end: Int) -> Int? {
        withSpan(from: start, to: end) { UTF8Check.firstFault(in: $0) }.map { start + $0 }
    }
    /// The fault of another byte than was expected.
    package func unexpected(_ expected: StaticString) -> PayloadFault {
        if isAtEnd {
            return PayloadFault(.malformed, at: index, "expected \(expected), found the end")
        }
        return PayloadFault(.malformed, at: index, "expected \(expected)")
    }
}
