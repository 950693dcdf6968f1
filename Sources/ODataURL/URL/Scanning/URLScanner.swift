import ODataText

/// A cursor over a decoded piece of a URL that takes names, words and punctuation.
///
/// White space is the grammar's `RWS` and `BWS`: spaces and tabs. A `+` is a plus sign, as in every URL (RFC 3986 § 2.2);
/// only HTML forms make a space of it.
struct URLScanner {
    /// The piece being read.
    let text: DecodedText
    /// Index of the next byte.
    var position = 0

    /// Creates a cursor at the beginning.
    init(_ text: DecodedText) {
        self.text = text
    }

    /// Whether nothing is left.
    var isAtEnd: Bool { position >= text.bytes.count }

    /// The next byte.
    var next: UInt8? { byte(0) }

    /// The offset of the next byte in the text given.
    var offset: Int { text.origin(of: position) }

    /// Whether the next byte was percent-encoded.
    var isEncoded: Bool { text.origin(of: position + 1) - text.origin(of: position) > 1 }

    /// Returns the byte so many places ahead.
    func byte(_ distance: Int) -> UInt8? {
        let index = position + distance
        return index >= 0 && index < text.bytes.count ? text.bytes[index] : nil
    }

    // MARK: Space and punctuation

    /// Passes white space; returns whether there was any.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = position
        while isSpaceAhead { position += 1 }
        return position > start
    }

    /// Whether the next byte is white space.
    var isSpaceAhead: Bool {
        guard let next else { return false }
        return next == Byte.space || next == Byte.tab
    }

    /// Takes a byte if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Takes a byte with white space before and after it, if it is next.
    mutating func takeSpaced(_ byte: UInt8) -> Bool {
        let start = position
        skipSpace()
        guard take(byte) else {
            position = start
            return false
        }
        skipSpace()
        return true
    }

    /// Takes a byte or throws.
    mutating func expect(_ byte: UInt8) throws(ODataURLError) {
        guard take(byte) else {
            throw fault(expected: ["'" + String(Unicode.Scalar(byte)) + "'"])
        }
    }

    // MARK: Words

    /// Returns whether ASCII text, given in small letters, stands at the cursor; case is looked at where `exactly` says so.
    func sees(_ word: String, exactly: Bool = true) -> Bool {
        guard position + word.utf8.count <= text.bytes.count else { return false }
        var index = position
        for expected in word.utf8 {
            let byte = text.bytes[index]
            guard byte == expected || (!exactly && ASCII.lowercased(byte) == expected) else {
                return false
            }
            index += 1
        }
        return true
    }

    /// Takes a whole word: no letter, digit or dot follows it.
    mutating func takeWord(_ word: String, exactly: Bool = true) -> Bool {
        guard sees(word, exactly: exactly) else { return false }
        if let after = byte(word.utf8.count), Byte.isName(after) || after == Byte.dot {
            return false
        }
        position += word.utf8.count
        return true
    }

    // MARK: Names

    /// Returns the index after the identifier that begins at an index; nil where none does.
    func endOfIdentifier(from start: Int) -> Int? {
        let bytes = text.bytes
        guard start < bytes.count, Byte.isName(bytes[start]), !ASCII.isDigit(bytes[start]) else {
            return nil
        }
        var index = start
        while index < bytes.count, Byte.isName(bytes[index]) {
            if bytes[index] < 0x80 {
                index += 1
                continue
            }
            let (scalar, length) = scalar(at: index)
            guard IdentifierCharacter.isAllowed(scalar, first: index == start) else { break }
            index += length
        }
        return index > start ? index : nil
    }

    /// Returns the index after the identifier, or identifiers joined by dots, that begins at an index.
    func endOfQualifiedName(from start: Int) -> Int? {
        guard var end = endOfIdentifier(from: start) else { return nil }
        while end < text.bytes.count, text.bytes[end] == Byte.dot,
            let further = endOfIdentifier(from: end + 1)
        {
            end = further
        }
        return end
    }

    /// Takes an identifier.
    mutating func identifier() throws(ODataURLError) -> String {
        guard let end = endOfIdentifier(from: position) else { throw fault(expected: ["a name"]) }
        return taken(to: end)
    }

    /// Takes an identifier or a qualified name.
    mutating func qualifiedName() throws(ODataURLError) -> String {
        guard let end = endOfQualifiedName(from: position) else {
            throw fault(expected: ["a name"])
        }
        return taken(to: end)
    }

    /// Takes everything up to an index as text.
    mutating func taken(to end: Int) -> String {
        defer { position = end }
        return string(position..<end)
    }

    /// Returns bytes as text; they are well-formed, since pieces are checked and cut at ASCII only.
    func string(_ range: Range<Int>) -> String {
        String(decoding: text.bytes[range], as: UTF8.self)
    }

    private func scalar(at index: Int) -> (Unicode.Scalar, Int) {
        var decoder = UTF8()
        var rest = text.bytes[index...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return ("\u{FFFD}", 1) }
        return (scalar, UTF8.width(scalar))
    }

    // MARK: Faults

    /// Returns a syntax error at the cursor.
    func fault(expected: [String], _ message: String = "unexpected text") -> ODataURLError {
        fault(.syntax, message, at: position, expected: expected)
    }

    /// Returns an error at an index of this piece.
    func fault(
        _ code: ODataURLError.Code,
        _ message: String,
        at index: Int,
        expected: [String] = []
    ) -> ODataURLError {
        var message = message
        if code == .syntax {
            if index >= text.bytes.count {
                message = "the text ends too early"
            } else if text.bytes[index] == Byte.plus {
                message = ODataURLError.plusIsNoSpace
            }
        }
        return ODataURLError(
            code,
            at: text.origin(of: index),
            message,
            found: excerpt(at: index),
            expected: expected
        )
    }

    /// Returns the text at an index, cut after a few characters.
    private func excerpt(at index: Int) -> String {
        var end = min(index + 20, text.bytes.count)
        guard index < end else { return "" }
        while end < text.bytes.count, text.bytes[end] & 0xC0 == 0x80 { end += 1 }
        return string(index..<end)
    }
}
