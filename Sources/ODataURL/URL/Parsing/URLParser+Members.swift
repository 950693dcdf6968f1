import ODataModel

extension URLParser {
    /// Reads segments between slashes: names, calls, variables, lambdas.
    mutating func memberPath() throws(ODataURLError) -> [WrittenMember] {
        var members = [try firstMember()]
        var tallest = height
        while scanner.next == Byte.slash || isKeyAhead(after: members) {
            guard members.count < limits.maximumSegments else {
                throw limitFault("a path has more than \(limits.maximumSegments) segments")
            }
            // The grammar lets a path end with a slash (`primitivePathExpr`).
            if scanner.take(Byte.slash), isAtEndOfPath { break }
            members.append(try furtherMember())
            tallest = max(tallest, height)
        }
        height = tallest
        return members
    }

    /// Whether a key follows `$filter(…)` or a call.
    private func isKeyAhead(after members: [WrittenMember]) -> Bool {
        guard scanner.next == Byte.open else { return false }
        switch members.last?.kind {
        case .filter, .call: return true
        default: return false
        }
    }

    private var isAtEndOfPath: Bool {
        guard let next = scanner.next else { return true }
        return scanner.isSpaceAhead || [Byte.close, Byte.comma, Byte.semicolon].contains(next)
            || next == UInt8(ascii: "]") || next == UInt8(ascii: "}")
    }

    /// Reads `aggregate(…)` on the collection before it.
    private mutating func aggregateMember(_ offset: Int) throws(ODataURLError) -> WrittenMember {
        scanner.position += "aggregate(".utf8.count
        scanner.skipSpace()
        let aggregate = try self.aggregate(isMember: true)
        scanner.skipSpace()
        try scanner.expect(Byte.close)
        try grow()
        return WrittenMember(at: offset, .aggregate(aggregate))
    }

    private mutating func firstMember() throws(ODataURLError) -> WrittenMember {
        let offset = scanner.offset
        if scanner.next == Byte.dollar { return try dollarMember(offset) }
        if scanner.next == Byte.at { return try atMember(offset) }
        guard scanner.endOfIdentifier(from: scanner.position) != nil else {
            throw scanner.fault(expected: ["an expression"])
        }
        return try namedMember(offset)
    }

    private mutating func furtherMember() throws(ODataURLError) -> WrittenMember {
        let offset = scanner.offset
        height = 0
        if scanner.next == Byte.dollar { return try dollarMember(offset) }
        if scanner.next == Byte.at { return try atMember(offset) }
        if scanner.sees("aggregate("), version.isV4 { return try aggregateMember(offset) }
        if scanner.next == Byte.open { return WrittenMember(at: offset, .key(try arguments())) }
        for (word, quantifier) in [("any", Quantifier.any), ("all", .all)] {
            if scanner.sees(word, exactly: !ignoresCase), scanner.byte(3) == Byte.open {
                scanner.position += 4
                return try lambda(quantifier, at: offset)
            }
        }
        guard scanner.endOfIdentifier(from: scanner.position) != nil else {
            return WrittenMember(at: offset, .keySegment(try keySegment()))
        }
        return try namedMember(offset)
    }

    /// Reads a key given as a segment: it looks like no name.
    private mutating func keySegment() throws(ODataURLError) -> String {
        let start = scanner.position
        let signs = Array("-._~!*+=:@".utf8)
        while let next = scanner.next, Byte.isName(next) || signs.contains(next) {
            scanner.position += 1
        }
        guard scanner.position > start else { throw scanner.fault(expected: ["a name"]) }
        return scanner.string(start..<scanner.position)
    }

    // MARK: Names and calls

    private mutating func namedMember(_ offset: Int) throws(ODataURLError) -> WrittenMember {
        let name = try scanner.qualifiedName()
        guard scanner.next == Byte.open else { return WrittenMember(at: offset, .name(name)) }
        let arguments = try self.arguments()
        return WrittenMember(at: offset, .call(name, arguments))
    }

    /// Reads arguments or a key, with the parentheses around them.
    mutating func arguments() throws(ODataURLError) -> [WrittenArgument] {
        // A call takes several times the stack of a parenthesis.
        try enter()
        try enter()
        defer {
            leave()
            leave()
        }
        try scanner.expect(Byte.open)
        scanner.skipSpace()
        if scanner.take(Byte.close) { return [] }
        var tallest = 0
        let arguments = try list { (parser) throws(ODataURLError) in
            let argument = try parser.argument()
            tallest = max(tallest, parser.height)
            return argument
        }
        scanner.skipSpace()
        guard scanner.take(Byte.close) else { throw scanner.fault(expected: ["','", "')'"]) }
        height = tallest
        try grow()
        return arguments
    }

    private mutating func argument() throws(ODataURLError) -> WrittenArgument {
        let offset = scanner.offset
        var name: String?
        // `$local` names the local id of an entity that the service does not know yet.
        let isLocal = scanner.sees("$local=")
        let first = scanner.position + (isLocal ? 1 : 0)
        if let end = scanner.endOfIdentifier(from: first),
            scanner.byte(end - scanner.position) == Byte.equals
        {
            name = scanner.taken(to: end)
            scanner.position += 1
            scanner.skipSpace()
        }
        let start = scanner.position
        let value = try expression()
        let text = scanner.string(start..<scanner.position)
        return WrittenArgument(offset: offset, name: name, value: value, text: text)
    }

    // MARK: Dollar and at signs

    private mutating func dollarMember(_ offset: Int) throws(ODataURLError) -> WrittenMember {
        let start = scanner.position
        scanner.position += 1
        let name = scanner.endOfIdentifier(from: scanner.position).map { scanner.taken(to: $0) }
        switch name {
        case "it", "this", "these", "root":
            return WrittenMember(at: offset, .variable("$" + (name ?? "")))
        case "count":
            guard scanner.next == Byte.open else { return WrittenMember(at: offset, .count(nil)) }
            return WrittenMember(at: offset, .count(try optionsInParentheses([.filter, .search])))
        case "filter":
            try scanner.expect(Byte.open)
            scanner.skipSpace()
            let condition = try expression()
            scanner.skipSpace()
            try scanner.expect(Byte.close)
            try grow()
            return WrittenMember(at: offset, .filter(condition))
        case "value", "ref", "each": return WrittenMember(at: offset, .special("$" + (name ?? "")))
        default:
            throw scanner.fault(
                .syntax,
                "unknown name after the dollar sign",
                at: start,
                expected: ["$it", "$this", "$root", "$count", "$filter"]
            )
        }
    }

    private mutating func atMember(_ offset: Int) throws(ODataURLError) -> WrittenMember {
        scanner.position += 1
        var name = try scanner.qualifiedName()
        if scanner.take(Byte.hash) { name += "#" + (try scanner.identifier()) }
        let isAnnotation = name.utf8.contains(Byte.dot) || name.utf8.contains(Byte.hash)
        return WrittenMember(at: offset, isAnnotation ? .annotation(name) : .alias(name))
    }

    // MARK: any and all

    /// Reads the variable and the condition; the opening parenthesis has been passed.
    private mutating func lambda(_ quantifier: Quantifier, at offset: Int)
        throws(ODataURLError) -> WrittenMember
    {
        guard lambdaDepth < limits.maximumLambdaDepth else {
            throw limitFault("any and all are nested deeper than \(limits.maximumLambdaDepth)")
        }
        lambdaDepth += 1
        defer { lambdaDepth -= 1 }
        scanner.skipSpace()
        if quantifier == .any, scanner.take(Byte.close) {
            return WrittenMember(at: offset, .lambda(.any, variable: nil, nil))
        }
        let variable = try scanner.identifier()
        guard scanner.takeSpaced(Byte.colon) else { throw scanner.fault(expected: ["':'"]) }
        let condition = try expression()
        scanner.skipSpace()
        guard scanner.take(Byte.close) else {
            throw operatorFault(expected: ["')'", Self.anOperator])
        }
        try grow()
        return WrittenMember(at: offset, .lambda(quantifier, variable: variable, condition))
    }
}
