extension Array where Element == Annotation {
    /// Returns the value of the first annotation with this term and no qualifier.
    public func value(of term: String) -> AnnotationExpression? {
        first { $0.term == term && $0.qualifier == nil }?.value
    }

    /// Returns whether a tagging term is applied: true where it has no value of its own, nil where it is absent.
    public func flag(_ term: String) -> Bool? {
        value(of: term).map { $0.bool ?? ($0 == .defaultValue) }
    }
}

extension AnnotationExpression {
    /// The truth value of a Boolean constant; nil for anything else.
    public var bool: Bool? {
        guard case .constant(let kind, let text) = self, kind == "Bool" || kind == "String" else {
            return nil
        }
        switch text {
        case "true", "1": return true
        case "false", "0": return false
        default: return nil
        }
    }

    /// The text of a constant or a path; nil for anything else.
    public var text: String? {
        switch self {
        case .constant(_, let text), .path(_, let text): text
        default: nil
        }
    }

    /// The items of a collection; nil for anything else.
    public var items: [AnnotationExpression]? {
        if case .collection(let items) = self { items } else { nil }
    }

    /// Returns the member of a record.
    public subscript(member: String) -> AnnotationExpression? {
        guard case .record(_, let members) = self else { return nil }
        return members.first { $0.0 == member }?.1
    }
}
