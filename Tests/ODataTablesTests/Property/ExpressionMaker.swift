import TestSupport

/// Makes random expressions that the standard gives a value.
struct ExpressionMaker {
    var values: PlainValueMaker
    private var variables = 0

    init(_ values: PlainValueMaker) { self.values = values }

    private static let orders = ["eq", "ne", "gt", "ge", "lt", "le"]
    private static let properties = [
        "ID", "I", "L", "S", "T", "D", "P", "M", "Day", "G", "At", "UpID",
    ]

    private enum Place { case row, item }

    mutating func condition(_ depth: Int) -> PlainExpression { condition(depth, .row) }

    private mutating func condition(_ depth: Int, _ place: Place) -> PlainExpression {
        if depth > 0, values.chance(60) {
            switch values.integer(0...7) {
            case 0, 1: return .and(condition(depth - 1, place), condition(depth - 1, place))
            case 2, 3: return .or(condition(depth - 1, place), condition(depth - 1, place))
            case 4, 5: return .not(condition(depth - 1, place))
            case 6 where place == .row: return quantified(depth - 1)
            default:
                return .comparison(
                    values.pick(["eq", "ne"]),
                    condition(depth - 1, place),
                    .literal(values.pick([.boolean(true), .boolean(false), .null]))
                )
            }
        }
        return place == .item ? tagTest() : simple()
    }

    private mutating func quantified(_ depth: Int) -> PlainExpression {
        variables += 1
        let isOverTags = values.chance(40)
        return .quantified(
            isAny: values.chance(50),
            isOverTags: isOverTags,
            variable: "v\(variables)",
            condition(depth, isOverTags ? .item : .row)
        )
    }

    private mutating func tagTest() -> PlainExpression {
        let text = PlainExpression.literal(.text(values.pick(["a", "", "ä"])))
        return values.chance(50)
            ? .comparison(values.pick(Self.orders), .item, text)
            : .call(values.pick(["contains", "startswith", "endswith"]), [.item, text])
    }

    /// A comparison, a membership or a function of properties.
    private mutating func simple() -> PlainExpression {
        switch values.integer(0...9) {
        case 0: return .property(path("B"))
        case 1:
            return .call(values.pick(["contains", "startswith", "endswith"]), [text(), text()])
        case 2:
            let name = values.pick(Self.properties)
            let list = (0...values.integer(0...(values.chance(10) ? 24 : 3))).map { _ in
                PlainExpression.literal(values.value(of: name))
            }
            return .isIn(.property(path(name)), list)
        case 3:
            return .comparison(
                order,
                .property(path(values.pick(Self.properties))),
                .literal(.null)
            )
        case 4: return .comparison(order, number(), number())
        case 5: return .comparison(order, text(), text())
        case 6: return .comparison(order, part(), .literal(values.value(of: "I")))
        case 7:
            // Branches of one kind: those of two would be promoted to the larger one.
            let names = values.chance(30) ? ["D"] : ["I", "P", "M"]
            let branch = PlainExpression.choice(
                simpleTest(),
                .property(path(values.pick(names))),
                .property(path(values.pick(names)))
            )
            return .comparison(order, branch, number())
        default: return simpleTest()
        }
    }

    private var order: String { mutating get { values.pick(Self.orders) } }

    /// A property against a value of its kind, or another one.
    private mutating func simpleTest() -> PlainExpression {
        let name = values.pick(Self.properties)
        let other =
            values.chance(75)
            ? PlainExpression.literal(values.value(of: name)) : .property(path(name))
        let property = PlainExpression.property(path(name))
        return values.chance(80)
            ? .comparison(order, property, other) : .comparison(order, other, property)
    }

    private mutating func path(_ name: String) -> [String] {
        values.chance(80) ? [name] : values.chance(70) ? ["Up", name] : ["Up", "Up", name]
    }

    /// A number that arithmetic cannot make too large.
    mutating func number(_ depth: Int = 1) -> PlainExpression {
        if depth > 0, values.chance(35) {
            let word = values.pick(["add", "sub", "mul"])
            return .arithmetic(word, number(depth - 1), number(depth - 1))
        }
        switch values.integer(0...9) {
        case 0:
            return .literal(values.value(of: values.pick(["I", "D", "P", "M"]), isNullable: false))
        case 1: return .count
        case 2: return .call("length", [.property(path("S"))])
        case 3:
            return .call("indexof", [text(), .literal(values.value(of: "S", isNullable: false))])
        case 4:
            return .arithmetic(
                values.pick(["div", "mod"]),
                .property(path("I")),
                .literal(.integer(3))
            )
        case 5:
            let name = values.pick(["round", "floor", "ceiling"])
            return .call(name, [.property(path(values.pick(["D", "P", "M"])))])
        default: return .property(path(values.pick(["I", "D", "P", "M", "UpID"])))
        }
    }

    private mutating func text() -> PlainExpression {
        switch values.integer(0...6) {
        case 0: return .literal(values.value(of: "S", isNullable: false))
        case 1: return .call(values.pick(["tolower", "toupper", "trim"]), [.property(path("S"))])
        case 2: return .call("concat", [.property(path("S")), .property(path("T"))])
        case 3: return .call("substring", [.property(path("S")), .literal(.integer(1))])
        default: return .property(path(values.pick(["S", "T"])))
        }
    }

    private mutating func part() -> PlainExpression {
        let names = ["year", "month", "day", "hour", "minute", "second", "totaloffsetminutes"]
        return .call(values.pick(names), [.property(path("At"))])
    }

    mutating func order(_ count: Int) -> [(expression: PlainExpression, isDescending: Bool)] {
        (0..<count).map { _ in
            let isPath = values.chance(60)
            let expression =
                isPath
                ? PlainExpression.property(path(values.pick(Self.properties)))
                : values.chance(50) ? number() : text()
            return (expression, values.chance(40))
        }
    }
}
