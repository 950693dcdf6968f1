import ODataValues

extension WrittenTreeWriter {
    /// Writes an expression; without closures, which would double the stack of each level.
    mutating func expression(_ expression: WrittenExpression) {
        let offset = expression.offset
        switch expression.node {
        case .literal(let literal): self.literal(literal, at: offset)
        case .path(let members): path(members, at: offset)
        case .comparison(let operation, let left, let right):
            operands(operation.rawValue, at: offset, operands: [left, right])
        case .arithmetic(let operation, let left, let right):
            operands(operation.rawValue, at: offset, operands: [left, right])
        case .and(let terms): operands("and", at: offset, operands: terms)
        case .or(let terms): operands("or", at: offset, operands: terms)
        case .not(let operand): operands("not", at: offset, operands: [operand])
        case .negate(let operand): operands("negate", at: offset, operands: [operand])
        case .has(let left, let right): operands("has", at: offset, operands: [left, right])
        case .isIn(let item, let list):
            begin("in", at: offset)
            member("operand", value: item)
            expressions("list", items: list)
            json.endObject()
        case .isInCollection(let item, let collection):
            operands("in", at: offset, operands: [item, collection])
        case .conditional(let branches):
            begin("case", at: offset)
            json.name("branches")
            json.beginArray()
            for branch in branches { self.branch(branch) }
            json.endArray()
            json.endObject()
        case .array(let items): operands("array", at: offset, operands: items)
        case .object(let members):
            begin("object", at: offset)
            json.name("members")
            json.beginArray()
            for member in members { property(member) }
            json.endArray()
            json.endObject()
        }
    }

    private mutating func path(_ members: [WrittenMember], at offset: Int) {
        begin("path", at: offset)
        json.name("segments")
        json.beginArray()
        for member in members { segment(member) }
        json.endArray()
        json.endObject()
    }

    private mutating func operands(
        _ kind: String,
        at offset: Int,
        operands: [WrittenExpression]
    ) {
        begin(kind, at: offset)
        expressions("operands", items: operands)
        json.endObject()
    }

    private mutating func expressions(_ name: String, items: [WrittenExpression]) {
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

    private mutating func literal(_ literal: WrittenLiteral, at offset: Int) {
        node("literal", at: offset) {
            if case .enumeration(let type) = literal.kind {
                $0.member("type", value: "enumeration")
                $0.member("enumeration", value: type)
            } else {
                $0.member("type", value: "\(literal.kind)")
            }
            $0.member("value", value: literal.text)
        }
    }

    private mutating func branch(_ branch: WrittenExpression.Branch) {
        json.beginObject()
        member("condition", value: branch.condition)
        member("value", value: branch.value)
        json.endObject()
    }

    private mutating func property(_ member: WrittenExpression.Member) {
        json.beginObject()
        self.member("name", value: member.name)
        self.member("value", value: member.value)
        json.endObject()
    }

    // MARK: Segments

    private mutating func segment(_ member: WrittenMember) {
        switch member.kind {
        case .variable(let name), .special(let name): begin(name, at: member.offset)
        case .name(let name): named("name", name: name, at: member.offset)
        case .alias(let name): named("alias", name: name, at: member.offset)
        case .annotation(let name): named("annotation", name: name, at: member.offset)
        case .call(let name, let list):
            named("call", name: name, at: member.offset)
            arguments(list)
        case .key(let list):
            begin("key", at: member.offset)
            arguments(list)
        case .keySegment(let text):
            begin("key", at: member.offset)
            self.member("text", value: text)
        case .lambda(let quantifier, let variable, let condition):
            begin(quantifier == .any ? "any" : "all", at: member.offset)
            self.member("variable", value: variable)
            self.member("condition", value: condition)
        case .count(let options):
            begin("$count", at: member.offset)
            nested(options)
        case .filter(let condition):
            begin("$filter", at: member.offset)
            self.member("condition", value: condition)
        case .aggregate(let aggregate):
            begin("aggregate", at: member.offset)
            json.name("item")
            self.aggregate(aggregate)
        }
        json.endObject()
    }

    private mutating func named(_ kind: String, name: String, at offset: Int) {
        begin(kind, at: offset)
        member("name", value: name)
    }
}
