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
            string("literal", value: literal.text)
            string("form", value: form(literal.kind))
        case .path(let members): array("path", items: members) { $0.segment($1) }
        case .comparison(let name, let left, let right):
            operation(name.rawValue, operands: [left, right])
        case .arithmetic(let name, let left, let right):
            operation(name.rawValue, operands: [left, right])
        case .and(let operands): operation("and", operands: operands)
        case .or(let operands): operation("or", operands: operands)
        case .not(let operand): operation("not", operands: [operand])
        case .negate(let operand): operation("-", operands: [operand])
        case .isIn(let value, let list): operation("in", operands: [value] + list)
        case .isInCollection(let value, let collection):
            operation("in", operands: [value, collection])
        case .has(let left, let right): operation("has", operands: [left, right])
        case .conditional(let branches):
            array("case", items: branches) { tree, branch in
                tree.member("condition", expression: branch.condition)
                tree.member("value", expression: branch.value)
            }
        case .array(let items): list("array", items: items)
        case .object(let members):
            array("object", items: members) { tree, member in
                tree.string("name", value: member.name)
                tree.member("value", expression: member.value)
            }
        }
    }

    private func form(_ kind: WrittenLiteral.Kind) -> String {
        if case .enumeration(let type) = kind { type } else { "\(kind)" }
    }

    private mutating func operation(_ name: String, operands: [WrittenExpression]) {
        string("operator", value: name)
        list("operands", items: operands)
    }

    private mutating func list(_ name: String, items: [WrittenExpression]) {
        writer.name(name)
        writer.beginArray()
        for item in items { expression(item) }
        writer.endArray()
    }

    /// Writes a segment of a path inside an expression.
    private mutating func segment(_ member: WrittenMember) {
        switch member.kind {
        case .name(let name): string("name", value: name)
        case .call(let name, let arguments):
            string("call", value: name)
            array("arguments", items: arguments) { $0.argument($1) }
        case .key(let arguments): array("key", items: arguments) { $0.argument($1) }
        case .keySegment(let text): string("key", value: text)
        case .aggregate(let aggregate):
            string("aggregate", value: aggregate.method ?? "")
            if let expression = aggregate.expression {
                self.member("expression", expression: expression)
            }
        case .variable(let name): string("variable", value: name)
        case .alias(let name): string("alias", value: name)
        case .annotation(let name): string("annotation", value: name)
        case .lambda(let quantifier, let variable, let condition):
            string("lambda", value: "\(quantifier)")
            if let variable { string("variable", value: variable) }
            if let condition { self.member("condition", expression: condition) }
        case .count(let options):
            string("name", value: "$count")
            if let options {
                writer.name("options")
                object { $0.options(options) }
            }
        case .filter(let condition): self.member("$filter", expression: condition)
        case .special(let name): string("name", value: name)
        }
    }
}
