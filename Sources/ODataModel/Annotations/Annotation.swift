/// A term applied to a model element (OData CSDL 4.01 § 14); `sap:` and `m:` attributes of versions 1 to 3 too.
public struct Annotation: Sendable, Equatable {
    /// Qualified name of the term with its alias resolved, `Org.OData.Core.V1.Computed`; attributes as `sap:creatable`.
    public var term: String
    /// Distinguishes several uses of one term.
    public var qualifier: String?
    /// The value.
    public var value: AnnotationExpression

    /// Creates an annotation.
    public init(term: String, qualifier: String? = nil, value: AnnotationExpression) {
        self.term = term
        self.qualifier = qualifier
        self.value = value
    }
}

/// The value of an annotation.
public enum AnnotationExpression: Sendable, Equatable {
    /// A constant as written, with its kind: `Bool`, `String`, `Int`, `EnumMember`, …
    case constant(kind: String, text: String)
    /// A path expression with its kind: `Path`, `PropertyPath`, `NavigationPropertyPath`, …
    case path(kind: String, text: String)
    /// A collection of expressions.
    case collection([AnnotationExpression])
    /// A record: its type, if it names one, and its property values.
    case record(type: String?, [(String, AnnotationExpression)])
    /// Any other expression: its element name and operands (`Apply`, `If`, `And`, `Cast`, …).
    case dynamic(element: String, attributes: [(String, String)], [AnnotationExpression])
    /// No expression: the term's default value.
    case defaultValue

    /// Compares structure and text.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.constant(let a, let b), .constant(let c, let d)): a == c && b == d
        case (.path(let a, let b), .path(let c, let d)): a == c && b == d
        case (.collection(let a), .collection(let b)): a == b
        case (.record(let a, let b), .record(let c, let d)):
            a == c && b.elementsEqual(d) { $0.0 == $1.0 && $0.1 == $1.1 }
        case (.dynamic(let a, let b, let c), .dynamic(let d, let e, let f)):
            a == d && c == f && b.elementsEqual(e) { $0.0 == $1.0 && $0.1 == $1.1 }
        case (.defaultValue, .defaultValue): true
        default: false
        }
    }
}
