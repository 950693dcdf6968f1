import ODataProtocol

extension WrittenTree {
    /// Writes an expression as an object with its place and its kind.
    mutating func expression(_ expression: WrittenExpression) {
        object { tree in
            tree.writer.name("offset")
            tree.writer.integer(Int64(expression.offset))
            tree.node(expression.node)
        }
    }

    private mutating func node(_ node: WrittenExpression.Node) {
        switch node {
        case .literal(let literal):
            string("literal", literal.text)
            string("form", form(literal.kind))
        case .path(let members): array("path", members) { $0.segment($1) }
        case .comparison(let name, let left, let right): operation(name.rawValue, [left, right])
        case .arithmetic(let name, let left, let right): operation(name.rawValue, [left, right])
        case .and(let operands): operation("and", operands)
        case .or(let operands): operation("or", operands)
        case .not(let operand): operation("not", [operand])
        case .negate(let operand): operation("-", [operand])
        case .isIn(let value, let list): operation("in", [value] + list)
        case .isInCollection(let value, let collection): operation("in", [value, collection])
        case .has(let left, let right): operation("has", [left, right])
        case .conditional(let branches):
            array("case", branches) { tree, branch in
                tree.member("condition", branch.condition)
                tree.member("value", branch.value)
            }
        case .array(let items): list("array", items)
        case .object(let members):
            array("object", members) { tree, member in
                tree.string("name", member.name)
                tree.member("value", member.value)
            }
        }
    }

    private func form(_ kind: WrittenLiteral.Kind) -> String {
        if case .enumeration(let type) = kind { type } else { "\(kind)" }
    }

    private mutating func operation(_ name: String, _ operands: [WrittenExpression]) {
        string("operator", name)
        list("operands", operands)
    }

    private mutating func list(_ name: String, _ items: [WrittenExpression]) {
        writer.name(name)
        writer.beginArray()
        for item in items { expression(item) }
        writer.endArray()
    }

    /// Writes a segment of a path inside an expression.
    private mutating func segment(_ member: WrittenMember) {
        switch member.kind {
        case .name(let name): string("name", name)
        case .call(let name, let arguments):
            string("call", name)
            array("arguments", arguments) { $0.argument($1) }
        case .key(let arguments): array("key", arguments) { $0.argument($1) }
        case .keySegment(let text): string("key", text)
        case .aggregate(let aggregate):
            string("aggregate", aggregate.method ?? "")
            if let expression = aggregate.expression { self.member("expression", expression) }
        case .variable(let name): string("variable", name)
        case .alias(let name): string("alias", name)
        case .annotation(let name): string("annotation", name)
        case .lambda(let quantifier, let variable, let condition):
            string("lambda", "\(quantifier)")
            if let variable { string("variable", variable) }
            if let condition { self.member("condition", condition) }
        case .count(let options):
            string("name", "$count")
            if let options {
                writer.name("options")
                object { $0.options(options) }
            }
        case .filter(let condition): self.member("$filter", condition)
        case .special(let name): string("name", name)
        }
    }
}
