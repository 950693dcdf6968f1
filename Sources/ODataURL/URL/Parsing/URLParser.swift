import ODataModel

/// Reads decoded pieces of a URL into the written tree; knows the grammar and no model.
struct URLParser {
    var scanner: URLScanner
    let version: ODataVersion
    let limits: URLLimits
    /// Nesting at the cursor.
    var depth = 0
    /// Nesting of `any` and `all` at the cursor.
    var lambdaDepth = 0
    /// Nesting of `$expand` at the cursor.
    var expandDepth = 0
    /// Height of the tree read last: chains of operators nest without nesting in the text.
    var height = 0

    /// Creates a parser of one piece.
    init(_ text: DecodedText, version: ODataVersion, limits: URLLimits) {
        scanner = URLScanner(text)
        self.version = version
        self.limits = limits
    }

    /// Whether operators and function names may be written in any case (OData 4.01 Part 1 § 5.2.1).
    var ignoresCase: Bool { version >= .v401 }

    /// Goes one level deeper or throws.
    mutating func enter() throws(ODataURLError) {
        guard depth < limits.maximumExpressionDepth else {
            throw limitFault(
                "the expression is nested deeper than \(limits.maximumExpressionDepth)"
            )
        }
        depth += 1
    }

    /// Goes one level up.
    mutating func leave() {
        depth -= 1
    }

    /// Checks that nothing but white space is left.
    mutating func expectEnd(_ expected: [String]) throws(ODataURLError) {
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw operatorFault(expected: expected + ["the end"]) }
    }

    /// Returns an error for a place where an operator could stand: it names the one that is meant.
    func operatorFault(expected: [String]) -> ODataURLError {
        var fault = scanner.fault(expected: expected)
        guard expected.contains(Self.anOperator), fault.message != ODataURLError.plusIsNoSpace
        else { return fault }
        fault.suggestion = ForeignOperator.meaning(of: scanner.text.bytes[scanner.position...])
        return fault
    }

    /// An operator, among what is expected.
    static let anOperator = "an operator"

    func limitFault(_ message: String) -> ODataURLError {
        ODataURLError(.limit, at: scanner.offset, message)
    }

    /// Reads items between commas.
    mutating func list<Item>(
        _ item: (inout URLParser) throws(ODataURLError) -> Item
    ) throws(ODataURLError) -> [Item] {
        var items: [Item] = []
        repeat {
            guard items.count < limits.maximumItems else {
                throw limitFault("a list has more than \(limits.maximumItems) items")
            }
            items.append(try item(&self))
        } while scanner.takeSpaced(Byte.comma)
        return items
    }
}
