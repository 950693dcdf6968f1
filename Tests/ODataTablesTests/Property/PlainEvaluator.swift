#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Evaluates expressions row by row, as the standard says it, without any regard to speed.
struct PlainEvaluator {
    let rows: [PlainRow]

    func keeps(_ condition: PlainExpression, _ row: PlainRow) -> Bool {
        value(condition, row, nil).truth == true
    }

    func value(_ expression: PlainExpression, _ row: PlainRow, _ item: String?) -> PlainValue {
        switch expression {
        case .literal(let value): return value
        case .property(let path): return property(path, row)
        case .item: return item.map { .text($0) } ?? .null
        case .comparison(let word, let a, let b):
            return .boolean(compare(word, value(a, row, item), value(b, row, item)))
        case .and(let a, let b):
            return Self.and(value(a, row, item).truth, value(b, row, item).truth)
        case .or(let a, let b):
            let both = Self.and(
                negated(value(a, row, item).truth),
                negated(value(b, row, item).truth)
            )
            return both.truth.map { .boolean(!$0) } ?? .null
        case .not(let a): return value(a, row, item).truth.map { .boolean(!$0) } ?? .null
        case .isIn(let a, let list):
            let operand = value(a, row, item)
            return .boolean(list.contains { compare("eq", operand, value($0, row, item)) })
        case .arithmetic(let word, let a, let b):
            return arithmetic(word, value(a, row, item), value(b, row, item))
        case .call(let name, let arguments):
            return PlainFunctions.value(name, arguments.map { value($0, row, item) })
        case .quantified(let isAny, let isOverTags, _, let condition):
            let results: [Bool] =
                isOverTags
                ? row.tags.map { value(condition, row, $0).truth == true }
                : below(row).map { value(condition, $0, nil).truth == true }
            return .boolean(isAny ? results.contains(true) : !results.contains(false))
        case .count: return .integer(Int64(below(row).count))
        case .choice(let condition, let a, let b):
            return value(value(condition, row, item).truth == true ? a : b, row, item)
        }
    }

    func below(_ row: PlainRow) -> [PlainRow] { rows.filter { $0.up == row.id } }

    private func negated(_ truth: Bool?) -> Bool? { truth.map { !$0 } }

    private static func and(_ a: Bool?, _ b: Bool?) -> PlainValue {
        if a == false || b == false { return .boolean(false) }
        return a == true && b == true ? .boolean(true) : .null
    }

    func property(_ path: [String], _ row: PlainRow) -> PlainValue {
        guard let name = path.first else { return .null }
        if name == "Up" {
            guard let up = rows.first(where: { $0.id == row.up }) else { return .null }
            return property(Array(path.dropFirst()), up)
        }
        if name == "ID" { return .integer(Int64(row.id)) }
        if name == "UpID" { return row.up.map { .integer(Int64($0)) } ?? .null }
        return row.values[name] ?? .null
    }

    private func compare(_ word: String, _ a: PlainValue, _ b: PlainValue) -> Bool {
        if a.isNull || b.isNull {
            switch word {
            case "eq": return a.isNull && b.isNull
            case "ne": return !(a.isNull && b.isNull)
            default: return false
            }
        }
        let order = a.order(b)
        switch word {
        case "eq": return order == 0
        case "ne": return order != 0
        case "gt": return order.map { $0 > 0 } ?? false
        case "ge": return order.map { $0 >= 0 } ?? false
        case "lt": return order.map { $0 < 0 } ?? false
        default: return order.map { $0 <= 0 } ?? false
        }
    }

    private func arithmetic(_ word: String, _ a: PlainValue, _ b: PlainValue) -> PlainValue {
        switch (a, b) {
        case (.null, _), (_, .null): return .null
        case (.integer(let x), .integer(let y)):
            switch word {
            case "add": return .integer(x + y)
            case "sub": return .integer(x - y)
            case "mul": return .integer(x * y)
            case "div": return .integer(x / y)
            default: return .integer(x % y)
            }
        case (.double, _), (_, .double):
            guard let x = a.double, let y = b.double else { return .null }
            switch word {
            case "add": return .double(x + y)
            case "sub": return .double(x - y)
            case "mul": return .double(x * y)
            case "div": return .double(x / y)
            default: return .double(x.truncatingRemainder(dividingBy: y))
            }
        default: return decimals(word, a, b)
        }
    }

    private func decimals(_ word: String, _ a: PlainValue, _ b: PlainValue) -> PlainValue {
        guard let x = Self.decimal(a), let y = Self.decimal(b) else { return .null }
        switch word {
        case "add": return .decimal(x + y)
        case "sub": return .decimal(x - y)
        case "mul": return .decimal(x * y)
        default: return .decimal(x / y)
        }
    }

    private static func decimal(_ value: PlainValue) -> Decimal? {
        switch value {
        case .integer(let value): Decimal(value)
        case .decimal(let value): value
        default: nil
        }
    }

    /// The rows that meet a condition, in an order, ties by key.
    func sorted(_ rows: [PlainRow], by terms: [(expression: PlainExpression, isDescending: Bool)])
        -> [PlainRow]
    {
        rows.sorted { a, b in
            for term in terms {
                let order = value(term.expression, a, nil).rowOrder(value(term.expression, b, nil))
                if order != 0 { return term.isDescending ? order > 0 : order < 0 }
            }
            return a.id < b.id
        }
    }
}

/// Canonical functions over plain values.
enum PlainFunctions {
    static func value(_ name: String, _ arguments: [PlainValue]) -> PlainValue {
        if arguments.contains(where: \.isNull) { return .null }
        switch (name, arguments[0]) {
        case (_, .text(let text)): return self.text(name, text, Array(arguments.dropFirst()))
        case (_, .instant(let instant)): return part(name, instant)
        case ("round", .double(let x)): return .double(x.rounded(.toNearestOrAwayFromZero))
        case ("floor", .double(let x)): return .double(x.rounded(.down))
        case ("ceiling", .double(let x)): return .double(x.rounded(.up))
        case ("round", .decimal(let x)):
            return .decimal(rounded(x, x < 0 ? .up : .down, addingHalf: true))
        case ("floor", .decimal(let x)): return .decimal(rounded(x, .down, addingHalf: false))
        case ("ceiling", .decimal(let x)): return .decimal(rounded(x, .up, addingHalf: false))
        default: return arguments[0]
        }
    }

    private enum Direction { case up, down }

    /// Cuts the fraction off the text of a decimal.
    private static func rounded(_ value: Decimal, _ direction: Direction, addingHalf: Bool)
        -> Decimal
    {
        let half = Decimal(string: "0.5") ?? 0
        let moved = addingHalf ? (value < 0 ? value - half : value + half) : value
        let digits = moved.description.prefix { $0 != "." }
        let cut = Decimal(string: String(digits)) ?? 0
        if cut == moved { return cut }
        switch direction {
        case .down: return moved < 0 ? cut - 1 : cut
        case .up: return moved > 0 ? cut + 1 : cut
        }
    }

    private static func part(_ name: String, _ at: PlainInstant) -> PlainValue {
        switch name {
        case "year": .integer(Int64(at.year))
        case "month": .integer(Int64(at.month))
        case "day": .integer(Int64(at.day))
        case "hour": .integer(Int64(at.seconds / 3600))
        case "minute": .integer(Int64(at.seconds / 60 % 60))
        case "second": .integer(Int64(at.seconds % 60))
        case "totaloffsetminutes": .integer(Int64(at.offset))
        default: .day(PlainCalendar.days(at.year, at.month, at.day))
        }
    }

    private static func text(_ name: String, _ text: String, _ rest: [PlainValue]) -> PlainValue {
        let scalars = Array(text.unicodeScalars)
        var other: [Unicode.Scalar] = []
        var number = 0
        if case .text(let second)? = rest.first { other = Array(second.unicodeScalars) }
        if case .integer(let second)? = rest.first { number = Int(second) }
        switch name {
        case "length": return .integer(Int64(scalars.count))
        case "tolower": return .text(text.lowercased())
        case "toupper": return .text(text.uppercased())
        case "trim":
            let kept = scalars.drop { $0.properties.isWhitespace }.reversed()
                .drop { $0.properties.isWhitespace }.reversed()
            return .text(string(Array(kept)))
        case "concat": return .text(string(scalars + other))
        case "contains": return .boolean(offset(of: other, in: scalars) != nil)
        case "indexof": return .integer(Int64(offset(of: other, in: scalars) ?? -1))
        case "startswith": return .boolean(scalars.starts(with: other))
        case "endswith": return .boolean(scalars.reversed().starts(with: other.reversed()))
        default: return .text(string(Array(scalars.dropFirst(number))))
        }
    }

    private static func string(_ scalars: [Unicode.Scalar]) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    private static func offset(of needle: [Unicode.Scalar], in text: [Unicode.Scalar]) -> Int? {
        guard needle.count <= text.count else { return nil }
        return (0...(text.count - needle.count)).first { text[$0...].starts(with: needle) }
    }
}
