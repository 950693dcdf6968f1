import ODataPayload

extension WrittenTreeWriter {
    /// Writes an expression; without closures, which would double the stack of each level.
    mutating func expression(_ expression: WrittenExpression) {
        let offset = expression.offset
        switch expression.node {
        case .literal(let literal): self.literal(literal, offset)
        case .path(let members): path(members, offset)
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
            begin("in", at: offset)
            member("operand", item)
            expressions("list", list)
            json.endObject()
        case .isInCollection(let item, let collection):
            operands("in", offset, [item, collection])
        case .conditional(let branches):
            begin("case", at: offset)
            json.name("branches")
            json.beginArray()
            for branch in branches { self.branch(branch) }
            json.endArray()
            json.endObject()
        case .array(let items): operands("array", offset, items)
        case .object(let members):
            begin("object", at: offset)
            json.name("members")
            json.beginArray()
            for member in members { property(member) }
            json.endArray()
            json.endObject()
        }
    }

    private mutating func path(_ members: [WrittenMember], _ offset: Int) {
        begin("path", at: offset)
        json.name("segments")
        json.beginArray()
        for member in members { segment(member) }
        json.endArray()
        json.endObject()
    }

    private mutating func operands(
        _ kind: String,
        _ offset: Int,
        _ operands: [WrittenExpression]
    ) {
        begin(kind, at: offset)
        expressions("operands", operands)
        json.endObject()
    }

    private mutating func expressions(_ name: String, _ items: [WrittenExpression]) {
        json.name(name)
        json.beginArray()
        for item in items { expression(item) }
        json.endArray()
    }

    private mutating func arguments(_ arguments: [WrittenArgument]) {
        json.name("arguments")
        json.beginArray()
        for argument in arguments { self.argument(argument) }
        json.endArray()
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
        switch member.kind {
        case .variable(let name), .special(let name): begin(name, at: member.offset)
        case .name(let name): named("name", name, member.offset)
        case .alias(let name): named("alias", name, member.offset)
        case .annotation(let name): named("annotation", name, member.offset)
        case .call(let name, let list):
            named("call", name, member.offset)
            arguments(list)
        case .key(let list):
            begin("key", at: member.offset)
            arguments(list)
        case .keySegment(let text):
            begin("key", at: member.offset)
            self.member("text", text)
        case .lambda(let quantifier, let variable, let condition):
            begin(quantifier == .any ? "any" : "all", at: member.offset)
            self.member("variable", variable)
            self.member("condition", condition)
        case .count(let options):
            begin("$count", at: member.offset)
            nested(options)
        case .filter(let condition):
            begin("$filter", at: member.offset)
            self.member("condition", condition)
        case .aggregate(let aggregate):
            begin("aggregate", at: member.offset)
            json.name("item")
            self.aggregate(aggregate)
        }
        json.endObject()
    }

    private mutating func named(_ kind: String, _ name: String, _ offset: Int) {
        begin(kind, at: offset)
        member("name", name)
    }
}
