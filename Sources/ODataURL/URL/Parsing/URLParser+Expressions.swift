import ODataText
import ODataModel

extension URLParser {
    /// Reads an expression (OData 4.01 Part 2 § 5.1.1).
    mutating func expression() throws(ODataURLError) -> WrittenExpression {
        try operation(atLeast: 1)
    }

    /// Reads operands joined by operators that bind at least so strongly.
    private mutating func operation(atLeast minimum: Int) throws(ODataURLError)
        -> WrittenExpression
    {
        try enter()
        defer { leave() }
        var left = try unary()
        while let (operation, end) = operatorAhead(), operation.precedence >= minimum {
            let leftHeight = height
            scanner.position = end
            scanner.skipSpace()
            left = try self.operation(operation, after: left)
            try grow(over: leftHeight)
        }
        return left
    }

    private mutating func operation(_ operation: BinaryOperator, after left: WrittenExpression)
        throws(ODataURLError) -> WrittenExpression
    {
        let next = operation.precedence + 1
        switch operation {
        case .or:
            return WrittenExpression(at: left.offset, .or(try terms(.or, after: left)))
        case .and:
            return WrittenExpression(at: left.offset, .and(try terms(.and, after: left)))
        case .comparison(let comparison):
            let right = try self.operation(atLeast: next)
            return WrittenExpression(at: left.offset, .comparison(comparison, left, right))
        case .arithmetic(let arithmetic):
            let right = try self.operation(atLeast: next)
            return WrittenExpression(at: left.offset, .arithmetic(arithmetic, left, right))
        case .has:
            let right = try self.operation(atLeast: next)
            return WrittenExpression(at: left.offset, .has(left, right))
        case .isIn:
            return WrittenExpression(at: left.offset, try membership(of: left))
        }
    }

    /// Reads the operands of a chain of one operator, the first of which has been passed.
    private mutating func terms(_ operation: BinaryOperator, after left: WrittenExpression)
        throws(ODataURLError) -> [WrittenExpression]
    {
        var terms = [left]
        var tallest = 0
        while true {
            terms.append(try self.operation(atLeast: operation.precedence + 1))
            tallest = max(tallest, height)
            guard let (next, end) = operatorAhead(), next.precedence == operation.precedence else {
                height = tallest
                return terms
            }
            scanner.position = end
            scanner.skipSpace()
        }
    }

    /// Returns the operator that comes next and the index after it; white space before it is passed over, not taken.
    private func operatorAhead() -> (BinaryOperator, end: Int)? {
        var ahead = scanner
        ahead.skipSpace()
        guard let first = ahead.next, ASCII.isLetter(first) else { return nil }
        var end = ahead.position
        let bytes = ahead.text.bytes
        while end < bytes.count, Byte.isName(bytes[end]) { end += 1 }
        let word = bytes[ahead.position..<end]
        return BinaryOperator(word, ignoringCase: ignoresCase).map { ($0, end) }
    }

    /// Sets the height to that of a node over the tree read last and another.
    mutating func grow(over other: Int = 0) throws(ODataURLError) {
        height = max(height, other) + 1
        guard height <= limits.maximumExpressionDepth else {
            throw limitFault(
                "the expression is nested deeper than \(limits.maximumExpressionDepth)"
            )
        }
    }

    // MARK: Operands

    private mutating func unary() throws(ODataURLError) -> WrittenExpression {
        let offset = scanner.offset
        if isNotAhead, scanner.takeWord("not", exactly: !ignoresCase) {
            scanner.skipSpace()
            let operand = try operation(atLeast: BinaryOperator.unaryPrecedence)
            try grow()
            return WrittenExpression(at: offset, .not(operand))
        }
        if scanner.next == Byte.minus, !isNegativeNumberAhead {
            scanner.position += 1
            scanner.skipSpace()
            let operand = try operation(atLeast: BinaryOperator.unaryPrecedence)
            try grow()
            return WrittenExpression(at: offset, .negate(operand))
        }
        return try primary()
    }

    private var isNotAhead: Bool {
        guard scanner.sees("not", exactly: !ignoresCase) else { return false }
        var ahead = scanner
        ahead.position += 3
        return ahead.isSpaceAhead || ahead.next == Byte.open
    }

    /// Whether the minus sign is that of a number; a time of day or a guid after it is a literal of its own.
    private var isNegativeNumberAhead: Bool {
        if scanner.sees("-INF") { return true }
        guard let digit = scanner.byte(1), ASCII.isDigit(digit), scanner.byte(3) != Byte.colon
        else {
            return false
        }
        var ahead = scanner
        ahead.position += 1
        return ahead.endOfGuid() == nil
    }

    private mutating func primary() throws(ODataURLError) -> WrittenExpression {
        let offset = scanner.offset
        height = 0
        switch scanner.next {
        case Byte.open: return try parenthesised()
        case UInt8(ascii: "["), UInt8(ascii: "{"): return try json()
        default: break
        }
        if let literal = try scanner.literal(version) {
            return WrittenExpression(at: offset, .literal(literal))
        }
        if takeCase() { return WrittenExpression(at: offset, .conditional(try branches())) }
        return WrittenExpression(at: offset, .path(try memberPath()))
    }

    private mutating func parenthesised() throws(ODataURLError) -> WrittenExpression {
        try scanner.expect(Byte.open)
        scanner.skipSpace()
        let inner = try expression()
        scanner.skipSpace()
        guard scanner.take(Byte.close) else {
            throw operatorFault(expected: ["')'", Self.anOperator])
        }
        return inner
    }

    /// Reads what follows `in`: a list in parentheses, or an expression that gives a collection.
    private mutating func membership(of left: WrittenExpression) throws(ODataURLError)
        -> WrittenExpression.Node
    {
        guard scanner.take(Byte.open) else {
            return .isInCollection(left, try unary())
        }
        scanner.skipSpace()
        var items: [WrittenExpression] = []
        var tallest = 0
        if !scanner.take(Byte.close) {
            repeat {
                items.append(try expression())
                tallest = max(tallest, height)
            } while scanner.takeSpaced(Byte.comma)
            scanner.skipSpace()
            guard scanner.take(Byte.close) else { throw scanner.fault(expected: ["','", "')'"]) }
        }
        height = tallest
        return .isIn(left, items)
    }

    // MARK: case

    private mutating func takeCase() -> Bool {
        let start = scanner.position
        guard version.isV4, scanner.takeWord("case", exactly: !ignoresCase),
            scanner.take(Byte.open)
        else {
            scanner.position = start
            return false
        }
        return true
    }

    /// Reads `condition:value` pairs and the closing parenthesis (OData 4.01 Part 2 § 5.1.1.9.1).
    private mutating func branches() throws(ODataURLError) -> [WrittenExpression.Branch] {
        var tallest = 0
        let branches = try list { (parser) throws(ODataURLError) in
            parser.scanner.skipSpace()
            let condition = try parser.expression()
            tallest = max(tallest, parser.height)
            guard parser.scanner.takeSpaced(Byte.colon) else {
                throw parser.operatorFault(expected: ["':'", Self.anOperator])
            }
            let value = try parser.expression()
            tallest = max(tallest, parser.height)
            return WrittenExpression.Branch(condition: condition, value: value)
        }
        scanner.skipSpace()
        try scanner.expect(Byte.close)
        height = tallest
        try grow()
        return branches
    }
}
