#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An expression of the property test, with a text for URLs and a value for rows.
indirect enum PlainExpression {
    case literal(PlainValue)
    /// A property, after navigations to one.
    case property([String])
    /// The item of the innermost lambda over tags.
    case item
    case comparison(String, PlainExpression, PlainExpression)
    case and(PlainExpression, PlainExpression)
    case or(PlainExpression, PlainExpression)
    case not(PlainExpression)
    case isIn(PlainExpression, [PlainExpression])
    case arithmetic(String, PlainExpression, PlainExpression)
    case call(String, [PlainExpression])
    /// `any` or `all` over the rows below, or over tags.
    case quantified(isAny: Bool, isOverTags: Bool, variable: String, PlainExpression)
    case count
    case choice(PlainExpression, PlainExpression, PlainExpression)

    /// The text with the variable that paths begin with.
    func text(_ variable: String? = nil) -> String {
        let prefix = variable.map { $0 + "/" } ?? ""
        switch self {
        case .literal(let value): return Self.text(value)
        case .property(let path): return prefix + path.joined(separator: "/")
        case .item: return variable ?? ""
        case .comparison(let word, let a, let b):
            return "(\(a.text(variable)) \(word) \(b.text(variable)))"
        case .and(let a, let b): return "(\(a.text(variable)) and \(b.text(variable)))"
        case .or(let a, let b): return "(\(a.text(variable)) or \(b.text(variable)))"
        case .not(let a): return "not (\(a.text(variable)))"
        case .isIn(let a, let list):
            return
                "(\(a.text(variable)) in (\(list.map { $0.text(variable) }.joined(separator: ","))))"
        case .arithmetic(let word, let a, let b):
            return "(\(a.text(variable)) \(word) \(b.text(variable)))"
        case .call(let name, let arguments):
            return "\(name)(\(arguments.map { $0.text(variable) }.joined(separator: ",")))"
        case .quantified(let isAny, let isOverTags, let name, let condition):
            let word = isAny ? "any" : "all"
            return
                "\(prefix)\(isOverTags ? "Tags" : "Down")/\(word)(\(name):\(condition.text(name)))"
        case .count: return prefix + "Down/$count"
        case .choice(let condition, let a, let b):
            return "case(\(condition.text(variable)):\(a.text(variable)),true:\(b.text(variable)))"
        }
    }

    private static func text(_ value: PlainValue) -> String {
        switch value {
        case .null: return "null"
        case .boolean(let value): return String(value)
        case .integer(let value): return String(value)
        case .decimal(let value): return value.description
        case .double(let value):
            if value.isNaN { return "NaN" }
            if value.isInfinite { return value < 0 ? "-INF" : "INF" }
            let text = "\(value)"
            return text.contains("e") ? text : text + "e0"
        case .text(let text):
            return "'"
                + text.split(separator: "'", omittingEmptySubsequences: false).joined(
                    separator: "''"
                )
                + "'"
        case .guid(let text): return text
        case .day: return PlainDay.text(value)
        case .instant(let instant): return instant.text
        }
    }
}
