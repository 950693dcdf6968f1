import ODataBinding
import ODataURL

/// What the parser reads although the grammar does not allow it.
///
/// The parser knows no model and leaves to the binder what names and values are; it takes what clients in the field write.
enum ParserLeniency {
    /// A call of a function that the standard does not have: the binder knows which there are, and suggests the nearest name.
    case functionNames
    /// The content of a literal (an instant, a geo value, the members of an enumeration): the binder converts it.
    case literals
    /// The second argument of `cast` and `isof`, which the binder looks up in the model.
    case typeArguments
    /// Segments that begin with `$`, and what follows them: the binder and the handler of requests know which there are.
    case segments
    /// `any()` and names of functions without parentheses, and lists with paths: the binder knows what names stand for.
    case names
    /// A path of `$select` or `$expand` that ends with a type, which the binder refuses.
    case pathEnds
    /// Spaces between the items of a list: many clients write `$select=A, B`.
    case listSpaces
    /// `$select=` without a value, which some clients send for *nothing chosen*.
    case emptySelect
    /// The text of `$search`: what is no expression is searched for as it is.
    case search

    /// Returns the name of a difference, where the grammar has found an error and the parser has not; nil for a fault.
    static func of(_ text: String, _ error: ODataURLError) -> ParserLeniency? {
        let bytes = text.utf8
        let before = String(decoding: bytes.prefix(error.offset), as: UTF8.self)
        let rest = String(decoding: bytes.dropFirst(error.offset), as: UTF8.self)
        if isIn(["search"], before) { return .search }
        if error.offset == 0 || before.hasPrefix("$") || (before + rest.prefix(1)).contains("/$") {
            return .segments
        }
        if before.contains("isof") || before.contains("cast") { return .typeArguments }
        if text.hasSuffix("select="), rest.isEmpty { return .emptySelect }
        // With the parenthesis or its escape, at which the grammar finds the error.
        if callsUnknownFunction(before + rest.prefix(3)) { return .functionNames }
        if isInLiteral(before) { return .literals }
        if isSpaceOfList(before, rest) { return .listSpaces }
        if isIn(["select", "expand"], before), isEndOfPath(rest) { return .pathEnds }
        return areNamesOfTheModel(text) ? .names : nil
    }

    /// Whether a text ends inside the value of one of some options.
    private static func isIn(_ options: [String], _ before: String) -> Bool {
        options.contains { option in
            guard let start = before.ranges(of: option + "=").last?.upperBound else { return false }
            return !before[start...].contains { $0 == "&" || $0 == ";" }
        }
    }

    /// Whether white space stands beside a comma, or before the first item.
    private static func isSpaceOfList(_ before: String, _ rest: String) -> Bool {
        let spaces = [" ", "\t", "%20", "%09"]
        guard spaces.contains(where: rest.hasPrefix) else { return false }
        let next = spaces.reduce(rest) { $0.replacing($1, with: "") }
        let last = spaces.reduce(before) { $0.replacing($1, with: "") }
        return next.hasPrefix(",") || last.hasSuffix(",") || last.hasSuffix("=")
    }

    private static func isEndOfPath(_ rest: String) -> Bool {
        rest.isEmpty || [",", ";", ")", "&", "%2C", "%3B", "%29"].contains(where: rest.hasPrefix)
    }

    private static let knownNames = Set(
        FilterFunction.allCases.map { $0.rawValue.lowercased() } + [
            "all", "any", "case", "cast", "isdefined", "isof", "and", "or", "not", "in", "has",
            "eq", "ne", "gt", "ge", "lt", "le", "add", "sub", "mul", "div", "divby", "mod",
        ]
    )

    private static func callsUnknownFunction(_ text: String) -> Bool {
        let plain = text.replacing("%28", with: "(").replacing("%20", with: " ")
            .replacing("%09", with: " ")
        var name = ""
        for character in plain {
            if character.isLetter || character.isNumber || character == "." {
                name.append(character)
                continue
            }
            if character == "(", !name.isEmpty, !name.contains("."),
                !knownNames.contains(name.lowercased())
            {
                return true
            }
            name = ""
        }
        return false
    }

    /// Whether the text before an error ends inside quotation marks, or in a token with a digit.
    private static func isInLiteral(_ before: String) -> Bool {
        let quotes = before.replacing("%27", with: "'").count { $0 == "'" }
        if !quotes.isMultiple(of: 2) { return true }
        return before.reversed().prefix { !" \t,(=".contains($0) }.contains(where: \.isNumber)
    }

    /// Three of the standard's cases (`core#443`, `core#688`, `core#726`).
    private static func areNamesOfTheModel(_ text: String) -> Bool {
        text.hasSuffix("=any()") || text.hasSuffix("=Model.Available") || text.contains(" in (")
    }
}
