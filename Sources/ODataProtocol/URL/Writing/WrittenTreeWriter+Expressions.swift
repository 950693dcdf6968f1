extension WrittenTreeWriter {
    /// Writes an expression.
    mutating func expression(_ expression: WrittenExpression) {
        let offset = expression.offset
        switch expression.node {
        case .literal(let literal): self.literal(literal, offset)
        case .path(let members):
            node("path", at: offset) { $0.array("segments", members) { $0.segment($1) } }
        case .comparison(let operation, let left, let right):
            operands(operation.rawValue, offset, [left, right])
        case .arithmetic(let operation, let left, let right):
            operands(operation.rawValue, offset, [left, right])
        case .and(let terms): operands("and", offset, terms)
        case .or(let terms): operands("or", offset, terms)
        case .not(let operand): operands("not", offset, [operand])
        case .negate(let operand): operands("negate", offset, [operand])
        case .has(let left, let right): operands("has", offset, [left, right])
        case .isIn(let item, let list):
            node("in", at: offset) {
                $0.member("operand", item)
                $0.array("list", list) { $0.expression($1) }
            }
        case .isInCollection(let item, let collection):
            operands("in", offset, [item, collection])
        case .conditional(let branches):
            node("case", at: offset) { $0.array("branches", branches) { $0.branch($1) } }
        case .array(let items): operands("array", offset, items)
        case .object(let members):
            node("object", at: offset) { $0.array("members", members) { $0.property($1) } }
        }
    }

    private mutating func operands(
        _ kind: String,
        _ offset: Int,
        _ operands: [WrittenExpression]
    ) {
        node(kind, at: offset) { $0.array("operands", operands) { $0.expression($1) } }
    }

    private mutating func literal(_ literal: WrittenLiteral, _ offset: Int) {
        node("literal", at: offset) {
            if case .enumeration(let type) = literal.kind {
                $0.member("type", "enumeration")
                $0.member("enumeration", type)
            } else {
                $0.member("type", "\(literal.kind)")
            }
            $0.member("value", literal.text)
        }
    }

    private mutating func branch(_ branch: WrittenExpression.Branch) {
        json.beginObject()
        member("condition", branch.condition)
        member("value", branch.value)
        json.endObject()
    }

    private mutating func property(_ member: WrittenExpression.Member) {
        json.beginObject()
        self.member("name", member.name)
        self.member("value", member.value)
        json.endObject()
    }

    // MARK: Segments

    private mutating func segment(_ member: WrittenMember) {
        let offset = member.offset
        switch member.kind {
        case .name(let name): node("name", at: offset) { $0.member("name", name) }
        case .call(let name, let arguments):
            node("call", at: offset) {
                $0.member("name", name)
                $0.array("arguments", arguments) { $0.argument($1) }
            }
        case .key(let arguments):
            node("key", at: offset) { $0.array("arguments", arguments) { $0.argument($1) } }
        case .keySegment(let text): node("key", at: offset) { $0.member("text", text) }
        case .variable(let name), .special(let name): node(name, at: offset)
        case .alias(let name): node("alias", at: offset) { $0.member("name", name) }
        case .annotation(let name): node("annotation", at: offset) { $0.member("name", name) }
        case .lambda(let quantifier, let variable, let condition):
            node(quantifier == .any ? "any" : "all", at: offset) {
                $0.member("variable", variable)
                $0.member("condition", condition)
            }
        case .count(let options):
            node("$count", at: offset) {
                guard let options else { return }
                $0.json.name("options")
                $0.options(options)
            }
        case .filter(let condition):
            node("$filter", at: offset) { $0.member("condition", condition) }
        case .aggregate(let aggregate):
            node("aggregate", at: offset) {
                $0.json.name("item")
                $0.aggregate(aggregate)
            }
        }
    }
}
