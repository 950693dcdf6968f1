extension URLParser {
    /// Reads a search expression (OData 4.01 Part 2 § 5.1.8): NOT binds most, then AND or nothing, then OR.
    mutating func search() throws(ODataURLError) -> SearchExpression {
        scanner.skipSpace()
        return try searchAlternatives()
    }

    private mutating func searchAlternatives() throws(ODataURLError) -> SearchExpression {
        try enter()
        defer { leave() }
        var terms = [try searchConjunction()]
        var tallest = height
        while takeSearchWord("OR") {
            try checkCount(of: terms)
            terms.append(try searchConjunction())
            tallest = max(tallest, height)
        }
        return try joined(terms[...], tallest: tallest, join: SearchExpression.or)
    }

    private mutating func searchConjunction() throws(ODataURLError) -> SearchExpression {
        var terms = [try searchOperand()]
        var tallest = height
        while takeSearchWord("AND") || isSearchOperandAhead {
            try checkCount(of: terms)
            terms.append(try searchOperand())
            tallest = max(tallest, height)
        }
        return try joined(terms[...], tallest: tallest, join: SearchExpression.and)
    }

    private func checkCount(of terms: [SearchExpression]) throws(ODataURLError) {
        guard terms.count < limits.maximumItems else {
            throw limitFault("$search has more than \(limits.maximumItems) terms in a row")
        }
    }

    /// Joins terms to a balanced tree: a chain as deep as it is long would soon be too deep.
    private mutating func joined(
        _ terms: ArraySlice<SearchExpression>,
        tallest: Int,
        join: (SearchExpression, SearchExpression) -> SearchExpression
    ) throws(ODataURLError) -> SearchExpression {
        guard terms.count > 1 else {
            height = tallest
            return terms[terms.startIndex]
        }
        let middle = terms.startIndex + (terms.count + 1) / 2
        let right = try joined(terms[middle...], tallest: tallest, join: join)
        let left = try joined(terms[..<middle], tallest: tallest, join: join)
        // The left half is the longer one.
        try grow()
        return join(left, right)
    }

    private mutating func searchOperand() throws(ODataURLError) -> SearchExpression {
        try enter()
        defer { leave() }
        height = 0
        scanner.skipSpace()
        if isWordAhead("NOT") {
            scanner.position += 3
            let operand = try searchOperand()
            try grow()
            return .not(operand)
        }
        if scanner.take(Byte.open) {
            let inner = try search()
            scanner.skipSpace()
            try scanner.expect(Byte.close)
            try grow()
            return inner
        }
        if scanner.next == Byte.doubleQuote { return .term(try searchPhrase(), isPhrase: true) }
        // Not of the standard, but sent by clients that take the option for a string.
        if let text = quotedTerm() { return .term(text, isPhrase: true) }
        return .term(try searchWord(), isPhrase: false)
    }

    private mutating func takeSearchWord(_ word: String) -> Bool {
        let start = scanner.position
        let length = word.utf8.count
        guard scanner.skipSpace(), isWordAhead(word) else {
            scanner.position = start
            return false
        }
        scanner.position += length
        return true
    }

    private var isSearchOperandAhead: Bool {
        var ahead = self
        guard ahead.scanner.skipSpace(), let next = ahead.scanner.next else { return false }
        guard next != Byte.close, next != Byte.semicolon else { return false }
        return !ahead.isWordAhead("OR")
    }

    /// Whether an operator with white space after it comes next.
    private func isWordAhead(_ word: String) -> Bool {
        guard scanner.sees(word) else { return false }
        var ahead = scanner
        ahead.position += word.utf8.count
        return ahead.isSpaceAhead
    }

    /// Takes a text in single quotes, if one is all of the operand.
    private mutating func quotedTerm() -> String? {
        let start = scanner.position
        guard scanner.next == Byte.quote, let text = try? scanner.quoted(),
            scanner.isAtEnd || scanner.isSpaceAhead || scanner.next == Byte.close
                || scanner.next == Byte.semicolon
        else {
            scanner.position = start
            return nil
        }
        return text
    }

    private mutating func searchPhrase() throws(ODataURLError) -> String {
        let start = scanner.position
        scanner.position += 1
        while let next = scanner.next, next != Byte.doubleQuote {
            // Versions after 4.0 let a backslash hide a quote.
            scanner.position += next == Byte.backslash && scanner.byte(1) != nil ? 2 : 1
        }
        let end = scanner.position
        guard scanner.take(Byte.doubleQuote), end > start + 1 else {
            throw scanner.fault(.syntax, "the phrase has no end", at: start, expected: ["\"…\""])
        }
        var bytes: [UInt8] = []
        var index = start + 1
        while index < end {
            if scanner.text.bytes[index] == Byte.backslash, index + 1 < end { index += 1 }
            bytes.append(scanner.text.bytes[index])
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func searchWord() throws(ODataURLError) -> String {
        let start = scanner.position
        let stops: [UInt8] = [Byte.open, Byte.close, Byte.doubleQuote]
        while let next = scanner.next, !scanner.isSpaceAhead, !stops.contains(next) {
            // A semicolon ends the option unless it is percent-encoded.
            if next == Byte.semicolon, !scanner.isEncoded { break }
            scanner.position += 1
        }
        guard scanner.position > start else {
            throw scanner.fault(expected: ["a word", "a phrase", "NOT", "'('"])
        }
        return scanner.string(start..<scanner.position)
    }
}
