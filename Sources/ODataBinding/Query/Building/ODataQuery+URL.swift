import ODataValues
import ODataText
import ODataURL
public import ODataModel

extension ODataQuery {
    /// Returns the query as a URL relative to the service root, percent-encoded.
    ///
    /// - Parameter version: The version of the service, which decides about the forms of literals and some names.
    public func url(version: ODataVersion = .v4) -> String {
        var writer = QueryURLWriter(isV4: version.isV4)
        writer.request(path, options: options)
        return PercentEncoding.completed(String(decoding: writer.bytes, as: UTF8.self))
    }
}

/// Writes queries made in Swift as text; what stands between quotes is percent-encoded as a whole, the grammar's own signs stay.
struct QueryURLWriter {
    private(set) var bytes: [UInt8] = []
    private let isV4: Bool
    /// Names of lambda variables in the order of their nesting; in a query they stand for paths, which are no names in a URL.
    private var variables: [(name: String, text: String)] = []

    init(isV4: Bool) { self.isV4 = isV4 }

    mutating func request(_ path: String, options: WrittenOptions) {
        bytes += Array(path.utf8)
        let parts = parts(options)
        guard !parts.isEmpty else { return }
        let hasOptions = path.utf8.contains(UInt8(ascii: "?"))
        raw((hasOptions ? "&" : "?") + parts.joined(separator: "&"))
    }

    private mutating func raw(_ text: String) { bytes += Array(text.utf8) }

    // MARK: Options

    /// The options, each with its name, in the order of the standard's grammar.
    private func parts(_ options: WrittenOptions) -> [String] {
        var parts: [String] = []
        func add(_ name: String, _ value: String?) {
            if let value { parts.append("$\(name)=\(value)") }
        }
        add("apply", options.apply.isEmpty ? nil : sequence(options.apply))
        add("compute", list(options.compute) { "\(text($0.expression)) as \($0.name)" })
        add("filter", options.filter.map(text))
        add("search", options.search.map { text($0, isOperand: false) })
        add(
            "orderby",
            list(options.orderBy) { text($0.expression) + ($0.isDescending ? " desc" : "") }
        )
        add("select", options.select.flatMap { list($0) { name($0.path) } })
        add("expand", list(options.expand, text: item))
        add("top", options.top.map(String.init))
        add("skip", options.skip.map(String.init))
        if options.count == true { parts.append(isV4 ? "$count=true" : "$inlinecount=allpages") }
        return parts.map {
            $0.utf8.contains(UInt8(ascii: " ")) ? $0.replacing(" ", with: "%20") : $0
        }
    }

    private func list<Item>(_ items: [Item], text: (Item) -> String) -> String? {
        items.isEmpty ? nil : items.map(text).joined(separator: ",")
    }

    private func name(_ path: [WrittenPathName]) -> String {
        path.map(\.name).joined(separator: "/")
    }

    private func item(_ item: WrittenExpandItem) -> String {
        let inner = item.options.map(parts) ?? []
        return name(item.path) + (inner.isEmpty ? "" : "(" + inner.joined(separator: ";") + ")")
    }

    private func text(_ search: SearchExpression, isOperand: Bool) -> String {
        func both(_ word: String, _ left: SearchExpression, _ right: SearchExpression) -> String {
            let text = "\(text(left, isOperand: true)) \(word) \(text(right, isOperand: true))"
            return isOperand ? "(\(text))" : text
        }
        switch search {
        case .term(let term, let isPhrase):
            return isPhrase ? "%22\(encoded(term))%22" : encoded(term)
        case .and(let left, let right): return both("AND", left, right)
        case .or(let left, let right): return both("OR", left, right)
        case .not(let operand): return "NOT \(text(operand, isOperand: true))"
        }
    }

    // MARK: Transformations

    private func sequence(_ transformations: [WrittenTransformation]) -> String {
        transformations.map { $0.name + "(" + $0.arguments.map(text).joined(separator: ",") + ")" }
            .joined(separator: "/")
    }

    private func text(_ argument: WrittenTransformation.Argument) -> String {
        switch argument {
        case .expression(let expression): return text(expression)
        case .search(let search): return text(search, isOperand: false)
        case .aggregate(let item): return text(item)
        case .compute(let item): return "\(text(item.expression)) as \(item.name)"
        case .order(let item): return text(item.expression) + (item.isDescending ? " desc" : "")
        case .grouping(let groupings): return "(" + groupings.map(text).joined(separator: ",") + ")"
        case .sequence(let transformations): return sequence(transformations)
        case .number(let number): return String(number)
        // Nothing that is made in Swift holds these.
        case .path, .word, .named, .parameter: return ""
        }
    }

    private func text(_ aggregate: WrittenAggregate) -> String {
        [
            aggregate.expression.map(text), aggregate.method.map { "with \($0)" },
            aggregate.alias.map { "as \($0)" },
        ].compactMap { $0 }.joined(separator: " ")
    }

    private func text(_ grouping: WrittenGrouping) -> String {
        switch grouping {
        case .path(let path): return name(path)
        case .rollup(let levels, _):
            return "rollup(" + levels.map(name).joined(separator: ",") + ")"
        // Nothing that is made in Swift holds one.
        case .rollupRecursive: return ""
        }
    }

    // MARK: Expressions

    private func text(_ expression: WrittenExpression) -> String {
        switch expression.node {
        case .literal(let literal): return text(literal)
        case .path(let members): return path(members)
        case .comparison(let comparison, let left, let right):
            return "\(operand(left)) \(comparison.rawValue) \(operand(right))"
        case .and(let terms): return terms.map(operand).joined(separator: " and ")
        case .or(let terms): return terms.map(operand).joined(separator: " or ")
        case .not(let operand): return "not (\(text(operand)))"
        case .arithmetic(let operation, let left, let right):
            return "\(operand(left)) \(operation.rawValue) \(operand(right))"
        case .negate(let operand): return "-(\(text(operand)))"
        case .isIn(let value, let items):
            return "\(operand(value)) in (" + items.map(text).joined(separator: ",") + ")"
        case .isInCollection(let value, let list): return "\(operand(value)) in \(text(list))"
        case .has(let value, let flags): return "\(operand(value)) has \(text(flags))"
        case .conditional(let branches):
            let parts = branches.map { "\(text($0.condition)):\(text($0.value))" }
            return "case(" + parts.joined(separator: ",") + ")"
        case .array(let items): return "[" + items.map(text).joined(separator: ",") + "]"
        case .object(let members):
            let parts = members.map { "\"\(encoded($0.name))\":\(text($0.value))" }
            return "{" + parts.joined(separator: ",") + "}"
        }
    }

    /// An expression inside another: in parentheses unless it is a value or a path.
    private func operand(_ expression: WrittenExpression) -> String {
        switch expression.node {
        case .literal, .path, .negate, .array, .object, .conditional: text(expression)
        default: "(" + text(expression) + ")"
        }
    }

    private func path(_ members: [WrittenMember]) -> String {
        // Versions 1 to 3 have another name for it, and the arguments in the other order.
        if !isV4, members.count == 1, case .call("contains", let arguments)? = members.first?.kind {
            return "substringof("
                + arguments.reversed().map { text($0.value) }.joined(separator: ",")
                + ")"
        }
        var nested = self
        return members.map { nested.member($0.kind) }.joined(separator: "/")
    }

    private mutating func member(_ kind: WrittenMember.Kind) -> String {
        switch kind {
        case .name(let name): return variables.last { $0.name == name }?.text ?? name
        case .call(let name, let arguments):
            return name + "(" + arguments.map { argument($0) }.joined(separator: ",") + ")"
        case .key(let arguments):
            return "(" + arguments.map { argument($0) }.joined(separator: ",") + ")"
        case .keySegment(let key): return encoded(key)
        case .variable(let name), .special(let name): return name
        case .alias(let name), .annotation(let name): return "@" + name
        case .aggregate: return ""
        case .lambda(let quantifier, let variable, let condition):
            return lambda(quantifier == .any ? "any" : "all", variable: variable, where: condition)
        case .count(let options):
            let inner = options.map(parts) ?? []
            return "$count" + (inner.isEmpty ? "" : "(" + inner.joined(separator: ";") + ")")
        case .filter(let condition): return "$filter(" + text(condition) + ")"
        }
    }

    private func argument(_ argument: WrittenArgument) -> String {
        (argument.name.map { $0 + "=" } ?? "") + text(argument.value)
    }

    private mutating func lambda(
        _ name: String,
        variable: String?,
        where condition: WrittenExpression?
    ) -> String {
        guard let variable, let condition else { return name + "()" }
        var inner = self
        let text = "x\(variables.count + 1)"
        inner.variables.append((variable, text))
        return "\(name)(\(text):\(inner.text(condition)))"
    }

    // MARK: Literals

    private func text(_ literal: WrittenLiteral) -> String {
        let value = encoded(literal.text)
        switch literal.kind {
        case .string: return "'" + encoded(literal.text.replacing("'", with: "''")) + "'"
        case .json: return "%22" + value + "%22"
        case .duration: return (isV4 ? "duration" : "time") + "'\(value)'"
        case .binary: return "binary'\(isV4 ? value : hexadecimal(literal.text))'"
        case .enumeration(let type): return "\(type)'\(value)'"
        case .geography: return "geography'\(value)'"
        case .geometry: return "geometry'\(value)'"
        case .dateTime: return "datetime'\(value)'"
        case .time: return "time'\(value)'"
        case .int64: return value + "L"
        case .fixedDecimal: return value + "M"
        case .single: return value + "f"
        case .hexadecimal: return "X'\(value)'"
        case .guid: return isV4 ? value : "guid'\(value)'"
        case .dateTimeOffset: return isV4 ? value : "datetimeoffset'\(value)'"
        case .decimal: return isV4 ? value : value + "M"
        case .double: return double(literal.text)
        case .null, .boolean, .integer, .date, .timeOfDay: return value
        }
    }

    /// A number with a point alone would be a decimal.
    private func double(_ text: String) -> String {
        let isMarked = text.contains { "eENI".contains($0) }
        return encoded(text) + (isMarked ? "" : isV4 ? "e0" : "d")
    }

    /// Bytes as versions 1 to 3 write them in URLs.
    private func hexadecimal(_ base64: String) -> String {
        var bytes: [UInt8] = []
        guard BinaryText.decode(base64.utf8.span, into: &bytes) else { return base64 }
        let digits = bytes.flatMap { [ASCII.hexCharacter($0 >> 4), ASCII.hexCharacter($0 & 15)] }
        return String(decoding: digits, as: UTF8.self)
    }

    private func encoded(_ text: String) -> String {
        PercentEncoding.encoded(text, keeping: "':,")
    }
}
