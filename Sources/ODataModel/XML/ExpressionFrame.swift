/// An annotation, or a part of its expression, while its element is open.
struct ExpressionFrame {
    enum Kind {
        /// An annotation of what the context stands for.
        case annotation(term: String, qualifier: String?, owner: CSDLXMLReader.Context)
        case propertyValue(name: String)
        case record(type: String?)
        case collection
        /// A constant or path whose text stands between its tags.
        case text(ElementName)
        case dynamic(ElementName, attributes: [(String, String)])
    }

    var kind: Kind
    /// The expression given by an attribute.
    var value: AnnotationExpression?
    var operands: [AnnotationExpression] = []
    var members: [(String, AnnotationExpression)] = []

    init(_ kind: Kind, value: AnnotationExpression? = nil) {
        self.kind = kind
        self.value = value
    }

    /// The expression that annotation and property value stand for: by attribute, by members, by element, or none.
    var content: AnnotationExpression {
        if let value { return value }
        if let operand = operands.first { return operand }
        return members.isEmpty ? .defaultValue : .record(type: nil, members)
    }
}
